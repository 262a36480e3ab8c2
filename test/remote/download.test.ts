import { existsSync } from 'node:fs';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type DownloadOptions, discardDownload, download, isDownloadUrl } from '../../src/remote/download.ts';
import { isPublicHost } from '../../src/remote/is-public-address.ts';
import { type FileServer, serveFile } from '../support/file-server.ts';
import { newPath } from '../support/new-path.ts';

const CONTENT = Buffer.from(Array.from({ length: 50_000 }, (_, i) => i % 251));
const OTHER = Buffer.from(CONTENT.toReversed());

describe('download', () => {
  const get = (server: FileServer, path: string, overrides: Partial<DownloadOptions> = {}) =>
    download({
      ...{ url: server.url, path, fetch: globalThis.fetch, sleep: async () => undefined },
      ...{ idleMs: 60_000, maxBytes: 1_000_000, onProgress: () => undefined, signal: new AbortController().signal },
      ...overrides,
    });
  const rangesOf = ({ requests }: FileServer) => requests.map(({ range }) => range);

  it('downloads a file', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    const progress: (number | undefined)[][] = [];
    await get(server, path, { onProgress: (...shown) => progress.push(shown) });
    expect(await readFile(path)).toEqual(CONTENT);
    expect(progress.at(-1)).toEqual([CONTENT.length, 1]);
    expect(rangesOf(server)).toEqual([undefined]);
  });

  it('continues where the connection broke', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    server.hangs.push(20_000, 10_000, 0);
    const onProgress = (bytes: number) => {
      if (bytes === 20_000 || bytes === 30_000) server.cut();
    };
    await get(server, path, { onProgress });
    expect(await readFile(path)).toEqual(CONTENT);
    expect(rangesOf(server)).toEqual([undefined, 'bytes=20000-', 'bytes=30000-', 'bytes=30000-']);
    expect(server.requests.at(-1)?.['if-range']).toBe('"one"');
  });

  it('continues what an earlier process has left', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    await writeFile(path, CONTENT.subarray(0, 123));
    await writeFile(`${path}.etag`, '"one"');
    await get(server, path);
    expect(await readFile(path)).toEqual(CONTENT);
    expect(rangesOf(server)).toEqual(['bytes=123-']);
  });

  it('downloads nothing again that is complete', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    await get(server, path);
    await get(server, path);
    expect(await readFile(path)).toEqual(CONTENT);
    expect(rangesOf(server)).toEqual([undefined, `bytes=${CONTENT.length}-`]);
  });

  it.each<[string, (server: FileServer) => void]>([
    ['the server ignores ranges', (server) => Object.assign(server, { ignoresRange: true })],
    ['the file has changed', (server) => Object.assign(server, { etag: '"two"', content: OTHER })],
    ['the file has become shorter', (server) => Object.assign(server, { content: OTHER.subarray(0, 9) })],
  ])('starts again if %s', async (_, change) => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    await writeFile(path, CONTENT.subarray(0, 123));
    await writeFile(`${path}.etag`, '"one"');
    change(server);
    await get(server, path);
    expect(await readFile(path)).toEqual(Buffer.from(server.content));
  });

  it.each([null, 'W/"weak"'])('asks for no range of a file with the ETag %j', async (etag) => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    server.etag = etag;
    server.hangs.push(20_000);
    await get(server, path, { onProgress: (bytes) => bytes === 20_000 && server.cut() });
    expect(await readFile(path)).toEqual(CONTENT);
    expect(rangesOf(server)).toEqual([undefined, undefined]);
  });

  it('gives up if several attempts in a row get nothing', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    server.hangs.push(...Array(9).fill(0));
    await expect(get(server, path)).rejects.toThrow(/^127\.0\.0\.1:\d+: download: unreachable: /);
    expect(server.requests.length).toBe(5);
  });

  it('gives up if the server sends nothing for a while', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    server.ignoresRange = true;
    server.hangs.push(...Array(9).fill(10));
    await expect(get(server, path, { idleMs: 50 })).rejects.toThrow(/download: timed out$/);
  });

  it('rejects a file that is too large', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    await expect(get(server, path, { maxBytes: 49_999 })).rejects.toThrow(/more than 49999 bytes$/);
    expect(server.requests.length).toBe(1);
  });

  it('follows redirects, with credentials to the same host only', async () => {
    const [server, other, path] = [await serveFile(CONTENT), await serveFile(CONTENT), await newPath('file')];
    server.redirects.push('/elsewhere', other.url);
    await get(server, path, { url: server.url.replace('//', '//user:secret@') });
    expect(await readFile(path)).toEqual(CONTENT);
    const sent = [...server.requests, ...other.requests].map(({ authorization }) => authorization !== undefined);
    expect(sent).toEqual([true, true, false]);
  });

  it.each(['http://example.invalid/file', 'ftp://127.0.0.1/file'])(
    'does not follow a redirect to %s',
    async (target) => {
      const [server, path] = [await serveFile(CONTENT), await newPath('file')];
      server.redirects.push(target);
      await expect(get(server, path)).rejects.toThrow(/redirected to a URL without TLS$/);
      expect(existsSync(path)).toBe(false);
    },
  );

  it('does not follow a redirect of a public host to another one', async () => {
    const [server, internal, path] = [await serveFile(CONTENT), await serveFile(CONTENT), await newPath('file')];
    server.redirects.push(internal.url);
    const url = server.url.replace('127.0.0.1', 'localhost');
    const isPublic = async (hostname: string) => hostname === 'localhost';
    await expect(get(server, path, { url, isPublic })).rejects.toThrow(
      /redirected to 127\.0\.0\.1, which is not public$/,
    );
    expect(internal.requests).toEqual([]);
    expect(existsSync(path)).toBe(false);
  });

  it('does not follow redirects without end', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    server.redirects.push(...Array(9).fill('/again'));
    await expect(get(server, path)).rejects.toThrow(/responded with HTTP status 302$/);
  });

  it('does not write through a link in its place', async () => {
    const [server, path, victim] = [await serveFile(CONTENT), await newPath('file'), await newPath('victim')];
    await writeFile(victim, 'kept');
    await symlink(victim, path);
    await writeFile(`${path}.etag`, '"one"');
    await get(server, path);
    expect(await readFile(victim, 'utf8')).toBe('kept');
    expect(await readFile(path)).toEqual(CONTENT);
  });

  it('leaves nothing behind when it is discarded', async () => {
    const [server, path] = [await serveFile(CONTENT), await newPath('file')];
    await get(server, path);
    await discardDownload(path);
    expect([path, `${path}.etag`].filter((file) => existsSync(file))).toEqual([]);
  });
});

describe('isPublicHost', () => {
  it.each([
    ['localhost', false],
    ['127.0.0.1', false],
    ['[::1]', false],
    ['169.254.169.254', false],
    ['8.8.8.8', true],
    ['[2606:4700:4700::1111]', true],
  ])('of %s is %s', async (hostname, isPublic) => {
    expect(await isPublicHost(hostname)).toBe(isPublic);
  });
});

describe('isDownloadUrl', () => {
  it.each([
    ['https://example.org/logs.gz', true],
    ['http://127.0.0.1:8080/logs.gz', true],
    ['http://localhost/logs.gz', true],
    ['http://[::1]/logs.gz', true],
    ['http://example.org/logs.gz', false],
    ['http://127.0.0.1.example.org/logs.gz', false],
    ['ftp://example.org/logs.gz', false],
    ['logs.gz', false],
  ])('of %s is %s', (url, isAllowed) => {
    expect(isDownloadUrl(url)).toBe(isAllowed);
  });
});
