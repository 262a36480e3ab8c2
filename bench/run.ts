import { watchStolen } from './harness/process-stats.ts';
import { startLoadGenerator } from './harness/processes.ts';
import { parseOptions } from './options.ts';
import { PARTS } from './parts/parts.ts';
import type { Findings } from './report/findings.ts';
import { dated, keepResult } from './report/kept-results.ts';
import { renderBars, renderTable } from './report/render-table.ts';
import { writeResults } from './report/write-results.ts';

/** `npm run bench`: everything, or the parts that are asked for; docs/benchmark.md tells the options. */
const options = parseOptions(PARTS.map(({ name }) => name));
// A look at some of it must not replace what was measured in full.
const isKept = !options.isQuick && options.only === '';
const load = startLoadGenerator();
for (const { name, title, run } of PARTS.filter((part) => options.parts.includes(part.name))) {
  console.log(`\n## ${title}`);
  const began = performance.now();
  const stolen = watchStolen();
  try {
    const findings = await run({ options, load, tell: (line) => console.error(`  ${line}`) });
    print(findings);
    if (isKept) keepResult(name, dated(findings, (performance.now() - began) / 1000, stolen()));
  } catch (error) {
    // The other parts can be measured all the same.
    console.error(error);
    process.exitCode = 1;
  }
}
await load.stop();
if (isKept) console.log(`\nWritten: ${writeResults(PARTS)}`);

function print({ bars, tables }: Findings): void {
  if (bars.length > 0) console.log(`\n${renderBars(bars)}`);
  for (const { title, note, ...table } of tables) {
    console.log(`\n${title}${note === undefined ? '' : `\n${note}`}\n${renderTable(table)}`);
  }
}
