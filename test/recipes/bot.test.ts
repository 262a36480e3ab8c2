import { existsSync } from 'node:fs';
import type http from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { rewindChain } from '../../src/ingest/rewind.ts';
import { NOW, ServiceFixture, write } from '../http/support.ts';
import { transfer } from '../model/encode-log.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, CAT, follow, tag, unfollow, untag } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { loadProfiles } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';
import { createFolder, type Received, receive, startRecipe } from './start-recipe.ts';

const TOKEN = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';

/** The bot API, as far as a bot sees it: https://core.telegram.org/bots/api#making-requests. */
class BotApi {
  readonly sent: string[] = [];
  /** The answers to the next requests; afterwards, each is accepted. */
  readonly failures: ((response: http.ServerResponse) => void)[] = [];

  answer({ path, headers, body }: Received, response: http.ServerResponse): void {
    expect(path).toBe(`/bot${TOKEN}/sendMessage`);
    expect(headers['content-type']).toBe('application/json');
    const failure = this.failures.shift();
    if (failure !== undefined) {
      failure(response);
      return;
    }
    const { chat_id, text, ...others } = JSON.parse(body);
    expect({ chat_id, others }).toEqual({ chat_id: '-1001234', others: {} });
    this.sent.push(text);
    const chat = { id: -1001234, title: 'Follows', type: 'supergroup' };
    const result = { message_id: this.sent.length, chat, date: NOW, text };
    sendJson(response, 200, { ok: true, result });
  }
}

function sendJson(response: http.ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

const TOO_MANY = 'Too Many Requests: retry after 1';
const BLOCKED = 'Forbidden: bot was blocked by the user';
const limited = (response: http.ServerResponse) =>
  sendJson(response, 429, { ok: false, error_code: 429, description: TOO_MANY, parameters: { retry_after: 1 } });
const blocked = (response: http.ServerResponse) =>
  sendJson(response, 403, { ok: false, error_code: 403, description: BLOCKED });
const badGateway = (response: http.ServerResponse) =>
  response.writeHead(502, { 'content-type': 'text/html' }).end('<html><h1>502 Bad Gateway</h1></html>');
const cut = (response: http.ServerResponse) => response.destroy();

describe.each(anyEngine)('the recipe for a bot, on $name,', (engine) => {
  const fixture = new ServiceFixture(engine);
  afterEach(() => fixture.close());

  async function startBot() {
    const store = await fixture.open();
    await write(store, [...annsList, ...bobsList]);
    await loadProfiles(store, [{ address: ANN, name: 'ann.eth', fresh: NOW }]);
    const service = await fixture.serve(store);
    const api = new BotApi();
    const file = join(await createFolder(), 'position.txt');
    const env = {
      KITH_URL: service.url,
      ACCOUNTS: 'ann.eth',
      BOT_TOKEN: TOKEN,
      CHAT_ID: '-1001234',
      BOT_API_URL: await receive((request, response) => api.answer(request, response)),
      POSITION_FILE: file,
    };
    const bot = startRecipe('bot', env);
    await waitFor(() => expect(existsSync(file)).toBe(true));
    return { store, service, api, bot, env };
  }

  it('reports what an account did in order, over failures of the bot API, and what a reorg has undone', async () => {
    const { store, service, api, bot } = await startBot();
    api.failures.push(limited, badGateway, cut);
    await write(store, [
      follow(ANNS, BOB),
      tag(ANNS, BOB, 'top8'),
      tag(ANNS, BOB, 'block'),
      untag(ANNS, BOB, 'block'),
      follow(BOBS, ANN),
    ]);
    const first = [`followed ${BOB}`, `tagged ${BOB} as “top8”`, `blocked ${BOB}`, `unblocked ${BOB}`];
    const expected = first.map((text) => `ann.eth ${text}`);
    await waitFor(() => expect(api.sent).toEqual(expected));
    expect(bot.stderr()).toContain(TOO_MANY);
    expect(bot.stderr()).toContain('status 502');

    await write(store, [untag(ANNS, BOB, 'top8'), unfollow(ANNS, BOB), transfer(ANN, CAT, 0n)]);
    expected.push(`ann.eth removed the tag “top8” from ${BOB}`, `ann.eth unfollowed ${BOB}`);
    expected.push(`${CAT}: transfer of list 0`);
    await waitFor(() => expect(api.sent).toEqual(expected));

    const { json } = await service.get('/events?since=0', { headers: { accept: 'application/json' } });
    await store.transaction((tx) => rewindChain(tx, 8453, json.events.at(-1).block - 1));
    const undone = expected.slice(-3).map((text) => `Undone by a reorg: ${text}`);
    await waitFor(() => expect(api.sent).toEqual([...expected, ...undone]));
  });

  it('ends if no retry helps, without a word about its token, and reports the event after a restart', async () => {
    const { store, api, bot, env } = await startBot();
    api.failures.push(blocked);
    await write(store, [follow(ANNS, BOB)]);
    const { code, stderr } = await bot.outcome;
    expect(code).toBe(1);
    expect(stderr).toContain(BLOCKED);
    expect(stderr).not.toContain(TOKEN);
    startRecipe('bot', env);
    await waitFor(() => expect(api.sent).toEqual([`ann.eth followed ${BOB}`]));
  });
});
