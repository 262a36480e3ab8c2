import { watchCpuSteal } from './harness/process-stats.ts';
import { startLoadGenerator } from './harness/processes.ts';
import { parseOptions } from './options.ts';
import { PARTS } from './parts/parts.ts';
import { dated, keepResult } from './report/kept-results.ts';
import { renderFindings, writeResults } from './report/write-results.ts';

/** `npm run bench`; docs/benchmark.md lists the options. */
const options = parseOptions(PARTS.map(({ name }) => name));
const load = startLoadGenerator();
for (const { name, title, run } of PARTS.filter((part) => options.parts.includes(part.name))) {
  console.log(`\n## ${title}`);
  const began = performance.now();
  const stolen = watchCpuSteal();
  try {
    const findings = await run({ options, load, log: (line) => console.error(`  ${line}`) });
    console.log(`\n${renderFindings(findings)}`);
    keepResult(name, dated(findings, (performance.now() - began) / 1000, stolen()));
  } catch (error) {
    // Continue with the other parts.
    console.error(error);
    process.exitCode = 1;
  }
}
await load.stop();
console.log(`\nWritten: ${writeResults(PARTS)}`);
