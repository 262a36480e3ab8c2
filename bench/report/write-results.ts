import { mkdirSync, writeFileSync } from 'node:fs';
import { inClone } from '../paths.ts';
import type { Bar } from './findings.ts';
import { type Result, readResult } from './kept-results.ts';
import { renderPlot } from './plot.ts';
import { renderBars, renderTable } from './render-table.ts';

const INTRODUCTION = `# Benchmark results

Written by \`npm run bench\`; [docs/benchmark.md](../docs/benchmark.md) explains what is measured and how. Ratios are
relative to a bare \`node:http\` server that sends as many bytes, measured alternately with it: the median of all rounds, with
minimum and maximum in brackets.`;

/** Writes the page and its charts from the saved results of all parts. */
export function writeResults(parts: readonly { readonly name: string; readonly title: string }[]): string {
  const known = parts.flatMap(({ name, title }) => {
    const result = readResult(name);
    return result === null ? [] : [{ title, result }];
  });
  mkdirSync(inClone('bench/plots'), { recursive: true });
  for (const plot of known.flatMap(({ result }) => result.plots)) {
    writeFileSync(inClone(`bench/plots/${plot.file}`), renderPlot(plot));
  }
  const path = inClone('bench/RESULTS.md');
  const sections = known.map(({ title, result }) => renderPart(title, result));
  writeFileSync(path, `${[INTRODUCTION, renderSummary(known), ...sections].join('\n\n')}\n`);
  return path;
}

/** A table of the parts and a list of the missed bars. */
function renderSummary(known: readonly { title: string; result: Result }[]): string {
  const rows = known.map(({ title, result: { bars, measuredAt, commit, stolen } }) => {
    const reached = bars.filter(({ isReached }) => isReached).length;
    const taken = stolen === undefined ? 'unknown' : `${(stolen * 100).toFixed(0)} %`;
    return [
      title,
      bars.length === 0 ? 'none set' : `${reached} of ${bars.length}`,
      minuteOf(measuredAt),
      commit,
      taken,
    ];
  });
  const missed = known.flatMap(({ result }) => result.bars.filter(({ isReached }) => !isReached));
  return [
    renderTable({ columns: ['part', 'bars reached', 'measured', 'commit', 'CPU steal'], rows }),
    missed.length === 0 ? 'No bar was missed.' : 'Missed:',
    ...(missed.length === 0 ? [] : [missed.map(describeMiss).join('\n')]),
  ].join('\n\n');
}

const describeMiss = ({ what, bar, measured }: Bar) => `- ${what}: ${bar}, but ${measured}`;
const minuteOf = (time: string) => time.slice(0, 16).replace('T', ' ');

function renderPart(title: string, result: Result): string {
  const { measuredAt, seconds, commit, cpu, cores, node, bars, tables, plots } = result;
  return [
    `## ${title}`,
    `Measured ${minuteOf(measuredAt)} UTC in ${Math.ceil(seconds / 60)} min, at commit ${commit}, on ${cores} cores of ${cpu}, Node ${node}.`,
    ...(bars.length === 0 ? [] : [renderBars(bars)]),
    ...plots.map((plot) => `![${plot.title}](plots/${plot.file})`),
    ...tables.flatMap((table) => [
      `### ${table.title}`,
      ...(table.note === undefined ? [] : [table.note]),
      renderTable(table),
    ]),
  ].join('\n\n');
}
