import { lstat, open, readFile, rm, writeFile } from 'node:fs/promises';
import { faultOf } from './fetch-answer.ts';
import { isPublicHost } from './is-public-address.ts';
import { isTransient, RemoteError, type RemoteFault } from './remote-error.ts';
import { readTarget } from './target.ts';

export interface DownloadOptions {
  readonly url: string;
  /** A file that an earlier download left here is continued, if the server still has the same one. */
  readonly path: string;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number) => Promise<void>;
  /** The longest time without a byte. */
  readonly idleMs: number;
  /** A larger file is rejected. */
  readonly maxBytes: number;
  /** `fraction`, from 0 to 1, is undefined if the size is unknown. */
  readonly onProgress: (bytes: number, fraction: number | undefined) => void;
  readonly signal: AbortSignal;
  /** Whether a host has public addresses only. */
  readonly isPublic?: (hostname: string) => Promise<boolean>;
}

/** Attempts in a row that get nothing before the error is thrown. */
const ATTEMPTS = 5;
const RETRY_MS = 1_000;
/** Object stores and release pages redirect once or twice. */
const MAX_REDIRECTS = 5;
const LABEL = 'download';

/** Whether a file may be downloaded from a URL: without TLS from this machine only. */
export function isDownloadUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname));
}

/** Downloads a file, in parts if the connection breaks. Throws a `RemoteError` if that does not help. */
export async function download(options: DownloadOptions): Promise<void> {
  for (let failures = 0; ; ) {
    const before = (await readPart(options.path)).bytes;
    try {
      return await downloadRest(options);
    } catch (error) {
      if (!(error instanceof RemoteError) || !isTransient(error.fault)) throw error;
      failures = (await readPart(options.path)).bytes > before ? 1 : failures + 1;
      if (failures === ATTEMPTS) throw error;
    }
    await options.sleep(RETRY_MS * 2 ** failures);
  }
}

/** Removes a download, complete or not. */
export async function discardDownload(path: string): Promise<void> {
  await rm(etagPath(path), { force: true });
  await rm(path, { force: true });
}

const etagPath = (path: string) => `${path}.etag`;

/** What an earlier attempt has left. Without an ETag it cannot be continued. */
async function readPart(path: string): Promise<{ bytes: number; etag: string }> {
  const [file, etag] = await Promise.all([
    lstat(path).catch(() => null),
    readFile(etagPath(path), 'utf8').catch(() => ''),
  ]);
  // In a shared folder, another user may have put something else there.
  const isOwn = file?.isFile() === true && file.uid === process.getuid?.();
  return isOwn && etag !== '' ? { bytes: file.size, etag } : { bytes: 0, etag: '' };
}

async function downloadRest(options: DownloadOptions): Promise<void> {
  const { path, fetch, idleMs, maxBytes, onProgress, signal, isPublic = isPublicHost } = options;
  const { url, host, headers } = readTarget(options.url);
  const fail = (fault: RemoteFault) => new RemoteError(host, LABEL, fault);
  const { bytes: have, etag } = await readPart(path);
  const idle = new AbortController();
  const timer = setTimeout(() => idle.abort(new DOMException('no data', 'TimeoutError')), idleMs);
  try {
    const range = have > 0 ? { range: `bytes=${have}-`, 'if-range': etag } : {};
    const send = (to: string, credentials: object) =>
      fetch(to, {
        // The bytes of the file itself: offsets in a compressed response mean something else.
        headers: { ...credentials, 'accept-encoding': 'identity', ...range },
        redirect: 'manual',
        signal: AbortSignal.any([signal, idle.signal]),
      });
    let response = await send(url, headers);
    for (let hops = 0; hops < MAX_REDIRECTS && response.headers.has('location'); hops++) {
      const { href, origin, hostname } = new URL(response.headers.get('location') ?? '', response.url);
      if (!isDownloadUrl(href)) throw fail({ kind: 'malformed', message: 'redirected to a URL without TLS' });
      // Operators may download from an internal host. A public one must not choose which internal host is asked.
      if (!(await isPublic(hostname)) && (await isPublic(new URL(url).hostname)))
        throw fail({ kind: 'malformed', message: `redirected to ${hostname}, which is not public` });
      response = await send(href, origin === new URL(url).origin ? headers : {});
    }
    const { status, headers: answered } = response;
    if (status === 416 && have > 0) {
      // All of it is here already, unless the server means a shorter file.
      if (answered.get('content-range') === `bytes */${have}`) return;
      await discardDownload(path);
      throw fail({ kind: 'unreachable', message: 'the file has changed' });
    }
    if (status !== 200 && status !== 206) throw fail({ kind: 'http', status, retryAfterMs: null });
    const isRest = status === 206;
    if (isRest && !answered.get('content-range')?.startsWith(`bytes ${have}-`))
      throw fail({ kind: 'malformed', message: `expected the bytes from ${have} on` });
    if (!isRest) await startPart(path, answered);
    let bytes = isRest ? have : 0;
    const size = bytes + Number(answered.get('content-length') ?? Number.NaN);
    const file = await open(path, 'a');
    try {
      for await (const chunk of response.body ?? []) {
        timer.refresh();
        bytes += chunk.byteLength;
        if (bytes > maxBytes) throw fail({ kind: 'oversized', maxBytes });
        await file.appendFile(chunk);
        onProgress(bytes, size > 0 ? Math.min(bytes / size, 1) : undefined);
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    // An error of the file, such as a full disk, is not one of the server.
    if (error instanceof RemoteError || (error as NodeJS.ErrnoException).syscall !== undefined) throw error;
    signal.throwIfAborted();
    throw fail(faultOf(error as Error));
  } finally {
    clearTimeout(timer);
  }
}

/** Starts with an empty file. Keeps the ETag if it identifies the bytes of the file, as only a strong one does. */
async function startPart(path: string, answered: Headers): Promise<void> {
  await discardDownload(path);
  // Fails if there is something that could not be removed.
  await writeFile(path, '', { flag: 'wx', mode: 0o600 });
  const etag = answered.get('etag') ?? '';
  const isStrong = etag.startsWith('"') && !answered.has('content-encoding');
  if (isStrong) await writeFile(etagPath(path), etag, { flag: 'wx', mode: 0o600 });
}
