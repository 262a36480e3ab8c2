import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { exportLogs } from '../import/export-logs.ts';
import { type Arguments, type Command, UsageError } from './command.ts';
import { writeNewFile } from './new-file.ts';
import { createProgress } from './progress.ts';
import { withStore } from './with-store.ts';

export const exportCommand: Command = {
  usage: 'logs [FILE]',
  help: `Writes the stored logs as NDJSON that kith import logs reads: to a new file, with gzip if its name ends in .gz,
or to standard output without a file or with -. Not everything of a log is stored: the sender of a transfer is the owner
before it, and data is encoded anew.`,
  async run(context, args) {
    const file = parse(args);
    const { config, stdout, stderr, logger, now } = context;
    let count = 0;
    await withStore(
      context,
      async (store) => {
        const progress = createProgress({ label: 'export', unit: 'logs', output: stderr, logger, now });
        async function* lines() {
          for await (const logs of exportLogs(store.reader, config.deployment)) {
            count += logs.length;
            progress.update(count);
            yield logs.map((log) => `${JSON.stringify(log)}\n`).join('');
          }
        }
        if (file === '-') await pipeline(Readable.from(lines()), stdout, { end: false });
        else {
          await writeNewFile(file, (partial) => {
            const [source, target] = [Readable.from(lines()), createWriteStream(partial)];
            return file.endsWith('.gz') ? pipeline(source, createGzip(), target) : pipeline(source, target);
          });
        }
        progress.end();
      },
      { mustExist: true },
    );
    if (file !== '-') stdout.write(`${file}: ${count} logs written\n`);
  },
};

function parse({ positionals: [kind, file = '-', ...rest] }: Arguments): string {
  if (kind !== 'logs') throw new UsageError(`KIND: expected logs, got ${JSON.stringify(kind ?? '')}`);
  if (rest.length > 0) throw new UsageError(`unexpected argument ${JSON.stringify(rest[0])}`);
  return file;
}
