import { randomUUID } from 'node:crypto';
import { type FileHandle, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FastifyRequest } from 'fastify';
import { turnOfOwn } from '../../async/turn-of-own.ts';
import { TemporarySpaceError } from '../../errors/operator-error.ts';
import type { CursorKey } from '../../lookup/page.ts';
import { HttpProblem, NO_ROOM } from '../problems.ts';
import { clientKey } from '../server/limits.ts';
import { createCompressor, type Encoding, negotiateEncoding } from './response-cache.ts';

/** A client may use a quarter of the space, so that it cannot take the long responses of all others. */
const CLIENTS = 4;

type Spools = ReturnType<typeof createSpools>;

/** Bodies that wait in temporary files for clients to read them, with `maxBytes` together. */
export function createSpools({ folder, maxBytes }: { readonly folder: string; readonly maxBytes: number }) {
  const usedBy = new Map<string, number>();
  let used = 0;
  const add = (client: string, bytes: number) => {
    used += bytes;
    const ofClient = (usedBy.get(client) ?? 0) + bytes;
    if (ofClient === 0) usedBy.delete(client);
    else usedBy.set(client, ofClient);
    return ofClient;
  };
  const onDisk = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      throw new TemporarySpaceError(`temporary files cannot be written to ${folder}`, { cause });
    }
  };
  return {
    /** Writes a body, compressed if it has an encoding. Rejects with `NO_ROOM` if it does not fit. */
    async write(client: string, texts: AsyncIterable<string>, encoding: Encoding | null) {
      let bytes = 0;
      const file = await onDisk(() => openUnnamed(folder));
      const store = async (chunks: AsyncIterable<Buffer | string>) => {
        for await (const chunk of chunks) {
          const length = Buffer.byteLength(chunk);
          bytes += length;
          if (add(client, length) > maxBytes / CLIENTS || used > maxBytes) throw NO_ROOM;
          await onDisk(() => file.writeFile(chunk));
        }
      };
      try {
        await (encoding === null ? store(texts) : pipeline(texts, createCompressor(encoding), store));
      } catch (error) {
        add(client, -bytes);
        await file.close();
        throw error;
      }
      return {
        bytes,
        /** To be called once. The file is closed and the space is free when the stream is closed. */
        open: () => file.createReadStream({ start: 0 }).once('close', () => add(client, -bytes)),
      };
    },
    /** Disk space in use. */
    bytes: () => used,
  };
}

/** The operating system frees the space of a file without a name when it is closed, also if the process is killed. */
async function openUnnamed(folder: string): Promise<FileHandle> {
  const path = join(folder, `kith-spool-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await unlink(path);
  return file;
}

/** Longer bodies are neither cached nor held in memory. */
const MAX_HELD_LENGTH = 512 * 1024;

/** A body is too long to be held. Equal concurrent requests share this error. */
class LongBodyError extends Error {
  override name = 'LongBodyError';
  readonly next: CursorKey | null;
  /** The text: its beginning, and the rest. The first call continues it, and others begin it again. */
  readonly take: () => Text;

  constructor(take: () => Text, next: CursorKey | null) {
    super('the body is not held in memory');
    this.take = take;
    this.next = next;
  }
}

interface Text {
  readonly start: string;
  readonly rest: AsyncGenerator<string>;
}

/** The whole text; rejects in a way that only `spoolIfLong` handles if it is too long. */
export async function collect(open: () => AsyncGenerator<string>, next: CursorKey | null = null): Promise<string> {
  const texts = open();
  let start = '';
  while (start.length <= MAX_HELD_LENGTH) {
    await turnOfOwn();
    const { done, value } = await texts.next();
    if (done) return start;
    start += value;
  }
  const begun: Text[] = [{ start, rest: texts }];
  throw new LongBodyError(() => begun.pop() ?? { start: '', rest: open() }, next);
}

/** A body that is not held. */
export interface LongBody {
  readonly encoding: Encoding | null;
  readonly next: CursorKey | null;
  /** Null for HEAD, for which the rest is not read. */
  readonly spooled: Awaited<ReturnType<Spools['write']>> | null;
}

/** Runs `load`, which collects texts. A body that is too long is read to its end into a file. */
export async function spoolIfLong<T>(spools: Spools, request: FastifyRequest, load: () => Promise<T>) {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof LongBodyError)) throw error;
    const { next } = error;
    const text = error.take();
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    try {
      if (request.method === 'HEAD') return { encoding, next, spooled: null };
      return { encoding, next, spooled: await spools.write(clientKey(request), textsOf(text, request), encoding) };
    } finally {
      await text.rest.return(undefined);
    }
  }
}

async function* textsOf({ start, rest }: Text, { socket }: FastifyRequest): AsyncGenerator<string> {
  yield start;
  for await (const text of rest) {
    // Its timeout is for clients that take nothing. `app.inject` has no such method.
    socket.setTimeout?.(socket.timeout ?? 0);
    if (socket.destroyed) throw new HttpProblem('client-closed-request', 'the client closed the connection');
    yield text;
    await turnOfOwn();
  }
}
