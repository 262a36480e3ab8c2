import { IMPORT_KINDS, type ImportKind, importFile } from '../import/import-file.ts';
import { updateRanks } from '../ranks/update-ranks.ts';
import type { Store } from '../store/store.ts';
import { type Arguments, type Command, type Context, UsageError } from './command.ts';
import { createProgress } from './progress.ts';
import { withDownload } from './with-download.ts';
import { withStore } from './with-store.ts';

export const importCommand: Command = {
  usage: `${IMPORT_KINDS.join('|')} FILE|URL...`,
  maxPositionals: Number.POSITIVE_INFINITY,
  help: `Imports NDJSON files, plain or gzip, also from https URLs; - is standard input. Importing a file twice changes nothing.
A file is imported in one transaction: an invalid line is reported with file and line, and rolls the file back.
If kith export logs wrote it, its contracts, the number of logs and their SHA-256 are checked.

  logs      logs as eth_getLogs returns them, plus chainId (a number) and blockTimestamp (hex seconds)
  profiles  ENS profiles, described in docs/operating.md
  badges    {event, tokenId, owner} as the POAP API returns them`,
  async run(context, args) {
    const { kind, files } = parse(args);
    await withStore(context, async (store) => {
      try {
        for (const file of files)
          await withDownload(context, file, (path, name = path) => importOne(context, store, kind, path, name));
      } finally {
        // Also after an invalid file, because the files before it are committed.
        await updateRanks(store.transaction, context.now());
      }
    });
  },
};

function parse({ positionals: [word, ...files] }: Arguments): { kind: ImportKind; files: string[] } {
  const kind = IMPORT_KINDS.find((known) => known === word);
  if (kind === undefined) {
    throw new UsageError(`KIND: expected one of ${IMPORT_KINDS.join(', ')}, got ${JSON.stringify(word ?? '')}`);
  }
  if (files.length === 0) throw new UsageError('FILE: expected at least one file, or - for standard input');
  return { kind, files };
}

async function importOne(context: Context, store: Store, kind: ImportKind, path: string, name: string): Promise<void> {
  const { config, stdin, stdout, now, logger } = context;
  const progress = createProgress(name, kind, context);
  const { lines, changed, ignored } = await importFile(kind, path, {
    store,
    name: path === '-' ? undefined : name,
    deployment: config.deployment,
    stdin,
    now,
    onProgress: progress.update,
  });
  progress.end();
  const ignoredCount = [...ignored.values()].reduce((sum, count) => sum + count, 0);
  if (ignoredCount > 0) logger.debug({ file: name, ignored: Object.fromEntries(ignored) }, 'ignored logs');
  const note = ignoredCount === 0 ? '' : `, ${ignoredCount} ignored`;
  stdout.write(`${name}: ${lines} ${kind} read, ${changed} new${note}\n`);
}
