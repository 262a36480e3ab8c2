import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { CommandError } from '../errors/operator-error.ts';
import { exportLogs } from '../import/export-logs.ts';
import { createHeader, type SnapshotChain } from '../import/snapshot-header.ts';
import type { Store } from '../store/store.ts';
import { type Arguments, type Command, type Context, UsageError } from './command.ts';
import { exportGraph } from './export-graph.ts';
import { writeNewFile } from './new-file.ts';
import { createProgress } from './progress.ts';
import { withStore } from './with-store.ts';

const READ_BYTES = 2 ** 18;

export const exportCommand: Command = {
  usage: 'logs [FILE] | graph DIR',
  maxPositionals: 2,
  help: `With logs, writes the stored logs as a snapshot for kith import logs and kith bootstrap: NDJSON in a new file, with gzip
if its name ends in .gz, or on standard output without a file or with -. The first line has the deployment, the last block
of each chain, the number of logs and their SHA-256. Not everything of a log is stored: the sender of a transfer is the
owner before it, and data is encoded anew.

With graph, writes accounts.csv, edges.csv, tags.csv and lists.csv into a new folder, all of one state of the graph, for DuckDB,
pandas or a spreadsheet: docs/data.md has the columns.`,
  async run(context, args) {
    const [kind, path] = parse(args);
    await (kind === 'graph' ? exportGraph(context, path) : writeLogs(context, path));
  },
};

async function writeLogs(context: Context, file: string): Promise<void> {
  await withStore(
    context,
    async (store) => {
      if (file !== '-') return exportToFile(context, store, file);
      await withSnapshot(context, store, { folder: tmpdir(), isPacked: false }, (snapshot) =>
        pipeline(snapshot, context.stdout, { end: false }),
      );
    },
    { mustExist: true },
  );
}

function parse({ positionals: [kind, path] }: Arguments): ['logs' | 'graph', string] {
  if (kind === 'logs') return [kind, path ?? '-'];
  if (kind !== 'graph') throw new UsageError(`KIND: expected logs or graph, got ${JSON.stringify(kind ?? '')}`);
  if (path === undefined) throw new UsageError('DIR: expected the name of a new folder');
  return [kind, path];
}

async function exportToFile(context: Context, store: Store, file: string): Promise<void> {
  let count = 0;
  const write = async (partial: string) => {
    const temporary = { folder: dirname(partial), isPacked: file.endsWith('.gz') };
    count = await withSnapshot(context, store, temporary, (snapshot) => pipeline(snapshot, createWriteStream(partial)));
  };
  await writeNewFile(file, write, context.onKilled);
  context.stdout.write(`${file}: ${count} logs written\n`);
}

/**
 * Runs `work` with a snapshot, and returns the number of its logs. They are in a temporary file, because the header in
 * front of them has their number and checksum. The file has no name any more by then, so that it is gone however the
 * process ends.
 */
async function withSnapshot(
  context: Context,
  store: Store,
  { folder, isPacked }: { readonly folder: string; readonly isPacked: boolean },
  work: (snapshot: AsyncIterable<string | Buffer>) => Promise<void>,
): Promise<number> {
  const path = join(folder, `kith-export-${randomUUID()}`);
  const stopWatching = context.onKilled(() => rmSync(path, { force: true }));
  const asOutputError = (error: unknown): never => {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    const message = `a temporary file in ${folder}: ${(error as Error).message}`;
    throw new CommandError('E_OUTPUT', message, { cause: error });
  };
  const file = await open(path, 'wx+', 0o600).catch(asOutputError);
  try {
    await rm(path);
    stopWatching();
    const header = await writeContent(context, store, file, isPacked).catch(asOutputError);
    async function* snapshot() {
      const line = `${JSON.stringify(header)}\n`;
      // Members of gzip can be concatenated.
      yield isPacked ? gzipSync(line) : line;
      yield* file.createReadStream({ start: 0, autoClose: false, highWaterMark: READ_BYTES });
    }
    await work(snapshot());
    return header.logs;
  } finally {
    await file.close();
  }
}

/** Writes the logs without the header, which is returned. */
async function writeContent(context: Context, store: Store, file: FileHandle, isPacked: boolean) {
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
  const write = (chunks: AsyncIterable<string | Buffer>) => file.writeFile(chunks);
  await (isPacked ? pipeline(lines, createGzip(), write) : pipeline(lines, write));
  progress.end();
  return createHeader(config.deployment, { chains, logs: count, sha256: hash.digest('hex') });
}
