import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { csvLine } from '../contract/csv.ts';
import { GRAPH_TABLES } from '../lookup/graph/graph-tables.ts';
import type { Context } from './command.ts';
import { writeNewFolder } from './new-file.ts';
import { createProgress } from './progress.ts';
import { withStore } from './with-store.ts';

/** Writes the graph as CSV files in a new folder, all from one snapshot. */
export async function exportGraph(context: Context, folder: string): Promise<void> {
  const progress = createProgress('export', 'rows', context);
  const written: string[] = [];
  let rows = 0;
  const write = (partial: string) =>
    withStore(
      context,
      ({ snapshots }) =>
        snapshots.snapshot(async (reader) => {
          for (const { name, columns, read } of GRAPH_TABLES) {
            const before = rows;
            async function* lines() {
              yield csvLine(columns);
              for await (const some of read(reader)) {
                yield some.map(csvLine).join('');
                rows += some.length;
                progress.update(rows);
              }
            }
            await pipeline(lines, createWriteStream(join(partial, `${name}.csv`)));
            written.push(`${rows - before} ${name}`);
          }
        }),
      { mustExist: true },
    );
  await writeNewFolder(resolve(folder), write, context.onKilled);
  progress.end();
  context.stdout.write(`${folder}: ${written.join(', ')} written\n`);
}
