import { writeFileSync } from 'node:fs';
import { CLONE } from '../paths.ts';
import type { AdvisedBar, Findings } from './findings.ts';
import { type Result, readResult } from './kept-results.ts';
import { renderBars, renderTable } from './render-table.ts';

const INTRODUCTION = `# Benchmark results

Written by \`npm run bench\`; [docs/benchmark.md](../docs/benchmark.md) explains what is measured, against what, and what to
do when a bar is missed. A ratio compares CPU time for a request, ours with that of the other server, measured alternately:
the middle of three pairs of servers, with the lowest and the highest in brackets.`;

/** Writes the page from the saved results of all parts. */
export function writeResults(parts: readonly { readonly name: string; readonly title: string }[]): string {
  const known = parts.flatMap(({ name, title }) => {
    const result = readResult(name);
    return result === null ? [] : [{ title, result }];
  });
  const bars = known.flatMap(({ result }) => result.bars);
  const reached = bars.filter(({ isReached }) => isReached).length;
  const sections = known.map(
    ({ title, result }) => `## ${title}\n\n${conditionsOf(result)}\n\n${renderFindings(result)}`,
  );
  const path = `${CLONE}bench/RESULTS.md`;
  writeFileSync(
    path,
    `${[INTRODUCTION, `${reached} of ${bars.length} bars are reached.`, ...sections].join('\n\n')}\n`,
  );
  return path;
}

function conditionsOf({ measuredAt, seconds, commit, cpu, cores, load, stolen, node }: Result): string {
  const when = `${measuredAt.slice(0, 16).replace('T', ' ')} UTC in ${Math.ceil(seconds / 60)} min, at commit ${commit}`;
  const busy = `load average ${load.toFixed(1)}, CPU steal ${(stolen * 100).toFixed(0)} %`;
  return `Measured ${when}, on ${cores} cores of ${cpu}, Node ${node}; ${busy}.`;
}

export function renderFindings({ bars, tables }: Findings): string {
  return [
    ...(bars.length === 0 ? [] : [renderBars(bars)]),
    ...bars.filter(({ isReached }) => !isReached).map(adviceOf),
    ...tables.flatMap(({ title, note, ...table }) => [
      `### ${title}`,
      ...(note === undefined ? [] : [note]),
      renderTable(table),
    ]),
  ].join('\n\n');
}

const adviceOf = ({ what, advice }: AdvisedBar) => `**${what}**: ${advice}`;
