import { watchCpuSteal } from './harness/process-stats.ts';
import { startLoadGenerator } from './harness/processes.ts';
import { parseOptions } from './options.ts';
import { PARTS } from './parts/parts.ts';
import type { Findings } from './report/findings.ts';
import { dated, keepResult } from './report/kept-results.ts';
import { renderBars, renderTable } from './report/render-table.ts';
import { writeResults } from './report/write-results.ts';

/** `npm run bench`; docs/benchmark.md lists the options. */
const options = parseOptions(PARTS.map(({ name }) => name));
// A partial run must not replace the results of a full one.
const isKept = !options.isQuick && options.only === '';
const load = startLoadGenerator();
for (const { name, title, run } of PARTS.filter((part) => options.parts.includes(part.name))) {
  console.log(`\n## ${title}`);
  const began = performance.now();
  const stolen = watchCpuSteal();
  try {
    const findings = await run({ options, load, log: (line) => console.error(`  ${line}`) });
    print(findings);
    if (isKept) keepResult(name, dated(findings, (performance.now() - began) / 1000, stolen()));
  } catch (error) {
    // Continue with the other parts.
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
