import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BadInputError } from '../errors/bad-input.ts';
import { CommandError } from '../errors/operator-error.ts';
import { discardDownload, download, isDownloadUrl } from '../remote/download.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { type Context, UsageError } from './command.ts';
import { createProgress } from './progress.ts';

/** Fifty times the logs of EFP in 2026. */
const MAX_BYTES = 10 * 2 ** 30;
const IDLE_MS = 30_000;

/**
 * Runs `work` with the path of a file. One at a URL is downloaded first, beside the SQLite database or else to the
 * temporary folder, and called by its host. It is kept if `work` fails for another reason than its content, and
 * continued by the next attempt if the process is killed.
 */
export async function withDownload<T>(
  context: Context,
  source: string,
  work: (path: string, name?: string) => Promise<T>,
): Promise<T> {
  if (!/^https?:\/\//i.test(source)) return work(source);
  if (!isDownloadUrl(source)) throw new UsageError('URL: expected https, or a file of this machine');
  const { config, signal } = context;
  const { host: name } = new URL(source);
  const folder = config.database.engine === 'sqlite' ? dirname(config.database.path) : tmpdir();
  const path = join(folder, `kith-download-${createHash('sha256').update(source).digest('hex').slice(0, 16)}`);
  const progress = createProgress(name, 'bytes', context);
  const sleep = (ms: number) => setTimeout(ms, undefined, { signal });
  try {
    await download({
      url: source,
      path,
      fetch: globalThis.fetch,
      sleep,
      signal,
      maxBytes: MAX_BYTES,
      idleMs: IDLE_MS,
      onProgress: progress.update,
    });
  } catch (error) {
    const isKnown = error instanceof RemoteError || (error as NodeJS.ErrnoException).syscall !== undefined;
    throw isKnown ? new CommandError('E_DOWNLOAD', (error as Error).message, { cause: error }) : error;
  }
  progress.end();
  try {
    const result = await work(path, name);
    await discardDownload(path);
    return result;
  } catch (error) {
    if (error instanceof BadInputError) await discardDownload(path);
    throw error;
  }
}
