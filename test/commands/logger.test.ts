import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger, redactUrls } from '../../src/commands/logger.ts';
import { waitFor } from '../support/wait-for.ts';

/** Collects what is written to it. */
function createOutput(isTTY = false) {
  let text = '';
  const output = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { output: Object.assign(output, { isTTY }), text: () => text };
}

describe('redactUrls', () => {
  it.each([
    ['a password', 'postgres://kith:open-sesame@db.example/kith', 'postgres://db.example'],
    ['a user name, which may be a token', 'https://token@rpc.example', 'https://rpc.example'],
    ['an @ in a password', 'postgres://kith:open@sesame@db.example/kith', 'postgres://db.example'],
    ['a password in percent signs', 'postgres://kith:open%40sesame@db.example/kith', 'postgres://db.example'],
    ['a key in the path', 'https://rpc.example/v2/sesame', 'https://rpc.example'],
    ['a key in the query', 'https://rpc.example?key=sesame', 'https://rpc.example'],
    ['a key in the fragment', 'https://rpc.example#sesame', 'https://rpc.example'],
    ['a key after a port', 'wss://rpc.example:8546/ws/sesame', 'wss://rpc.example:8546'],
    ['a key after an address', 'https://[::1]:8545/sesame', 'https://[::1]:8545'],
    ['a scheme in capitals', 'HTTPS://rpc.example/sesame', 'HTTPS://rpc.example'],
    ['a URL in quotes', 'to "https://rpc.example/sesame" and on', 'to "https://rpc.example" and on'],
    ['a URL in brackets', 'at <https://rpc.example/sesame>', 'at <https://rpc.example>'],
  ])('redacts %s', (_, text, hidden) => {
    expect(redactUrls(text)).toBe(hidden);
  });

  it('redacts several URLs in a line', () => {
    const text =
      'tried https://a.example/sesame, then wss://user:sesame@b.example:1/x; last postgres://c:sesame@d.example/e';
    const hidden = redactUrls(text);
    expect(hidden).not.toContain('sesame');
    expect(hidden).toMatch(/a\.example.*b\.example.*d\.example/);
  });

  it('redacts URLs that are not separated by a space', () => {
    expect(redactUrls('https://a.example/sesame,https://user:sesame@b.example/sesame')).not.toContain('sesame');
  });

  it.each([
    'postgres://kith:open/sesame@db.example/kith',
    'postgres://kith:open#sesame@db.example/kith',
    'postgres://kith:open?sesame@db.example/kith',
    'postgres://kith:open@sesame/open@db.example/kith',
  ])('redacts an unescaped password: %s', (text) => {
    expect(redactUrls(text)).not.toMatch(/open|sesame/);
  });

  it.each([
    'https://rpc.example/v2/open@sesame',
    'https://rpc.example/?mail=me@mail.example&key=sesame',
    'https://user:open@rpc.example/v2/open@sesame',
  ])('redacts a key that contains or follows an @: %s', (text) => {
    expect(redactUrls(text)).not.toMatch(/open|sesame/);
  });

  it.each([
    'no URL at all, but a me@mail.example and a/path',
    'sqlite:data/kith.db',
    'listening at http://127.0.0.1:3000',
    'a ratio of 1://2',
    '',
  ])('does not change text without secrets: %j', (text) => {
    expect(redactUrls(text)).toBe(text);
  });

  it('does not change file URLs in a stack trace', () => {
    const stack = 'Error: trouble\n    at open (file:///app/dist/store/open-store.js:12:5)';
    expect(redactUrls(stack)).toBe(stack);
  });
});

describe('createLogger', () => {
  it('writes a line of JSON for each message', () => {
    const { output, text } = createOutput();
    const logger = createLogger({ level: 'info', output });
    logger.info({ blocks: 7 }, 'first');
    logger.warn('second\nwith two lines');
    const lines = text()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { level: 30, msg: 'first', blocks: 7, time: expect.any(Number) },
      { level: 40, msg: 'second\nwith two lines' },
    ]);
  });

  it('writes nothing below its level', () => {
    const { output, text } = createOutput();
    const logger = createLogger({ level: 'warn', output });
    logger.info('unheard');
    logger.warn('heard');
    expect(text()).toMatch(/^[^\n]*"msg":"heard"[^\n]*\n$/);
  });

  it('hides secrets in messages, fields and errors, and still writes JSON', () => {
    const { output, text } = createOutput();
    const logger = createLogger({ level: 'info', output });
    const url = 'postgres://kith:open-sesame@db.example/kith';
    const error = Object.assign(new Error(`cannot reach ${url}`), { input: url });
    logger.info({ url, urls: [url, 'https://rpc.example/sesame'], err: error }, `trying "${url}"`);
    expect(text()).not.toContain('sesame');
    expect(JSON.parse(text())).toMatchObject({ url: 'postgres://db.example', msg: 'trying "postgres://db.example"' });
  });

  it('writes for people on a terminal, and hides secrets there too', async () => {
    const { output, text } = createOutput(true);
    const logger = createLogger({ level: 'info', output });
    logger.info({ url: 'https://rpc.example/sesame' }, 'ready');
    await waitFor(() => expect(text()).toContain('ready'));
    expect(text()).toContain('rpc.example');
    expect(text()).not.toMatch(/^\{|sesame/);
  });
});
