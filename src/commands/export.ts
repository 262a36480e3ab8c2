import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { exportLogs } from '../import/export-logs.ts';
import { createHeader, type SnapshotChain } from '../import/snapshot-header.ts';
import type { Store } from '../store/store.ts';
import { type Arguments, type Command, type Context, UsageError } from './command.ts';
import { writeNewFile } from './new-file.ts';
import { createProgress } from './progress.ts';
import { withStore } from './with-store.ts';

export const exportCommand: Command = {
  usage: 'logs [FILE]',
  maxPositionals: 2,
  help: `Writes the stored logs as a snapshot that kith import logs and kith bootstrap read: NDJSON in a new file, with gzip
if its name ends in .gz, or on standard output without a file or with -. The first line has the deployment, the last block
of each chain, the number of logs and their SHA-256. Not everything of a log is stored: the sender of a transfer is the
owner before it, and data is encoded anew.`,
  async run(context, args) {
    const file = parse(args);
    const write = (store: Store) =>
      file === '-' ? exportToOutput(context, store) : exportToFile(context, store, file);
    await withStore(context, write, { mustExist: true });
  },
};

function parse({ positionals: [kind, file = '-'] }: Arguments): string {
  if (kind !== 'logs') throw new UsageError(`KIND: expected logs, got ${JSON.stringify(kind ?? '')}`);
  return file;
}

async function exportToOutput(context: Context, store: Store): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-export-'));
  try {
    const content = join(folder, 'logs');
    const { header } = await writeContent(context, store, content, false);
    await pipeline(concatenate(header, content), context.stdout, { end: false });
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function exportToFile(context: Context, store: Store, file: string): Promise<void> {
  const isPacked = file.endsWith('.gz');
  let count = 0;
  await writeNewFile(file, async (partial) => {
    const content = `${partial}.content`;
    await rm(content, { force: true });
    try {
      const written = await writeContent(context, store, content, isPacked);
      count = written.count;
      // Members of gzip can be concatenated.
      const header = isPacked ? gzipSync(written.header) : written.header;
      await pipeline(concatenate(header, content), createWriteStream(partial));
    } finally {
      await rm(content, { force: true });
    }
  });
  context.stdout.write(`${file}: ${count} logs written\n`);
}

/** Writes the logs to a temporary file, because the header in front of them has their number and checksum. */
async function writeContent(context: Context, store: Store, path: string, isPacked: boolean) {
  const { config } = context;
  const progress = createProgress('export', 'logs', context);
  const hash = createHash('sha256');
  const chains: SnapshotChain[] = [];
  let count = 0;
  async function* lines() {
    for await (const logs of exportLogs(store.reader, config.deployment, (chain) => chains.push(chain))) {
      count += logs.length;
      progress.update(count);
      const text = logs.map((log) => `${JSON.stringify(log)}\n`).join('');
      hash.update(text);
      yield text;
    }
  }
  // A symbolic link in its place must not be followed.
  const target = createWriteStream(path, { flags: 'wx' });
  await (isPacked ? pipeline(lines, createGzip(), target) : pipeline(lines, target));
  progress.end();
  const header = createHeader(config.deployment, { chains, logs: count, sha256: hash.digest('hex') });
  return { count, header: `${JSON.stringify(header)}\n` };
}

async function* concatenate(header: string | Buffer, path: string) {
  yield header;
  yield* createReadStream(path);
}
