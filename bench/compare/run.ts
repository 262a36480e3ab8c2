import { parseArgs } from 'node:util';
import type { Estimate } from '../harness/estimate.ts';
import { whole } from '../numbers.ts';
import { renderTable } from '../report/render-table.ts';
import { buildCommit, buildWorkingTree } from './checkout.ts';
import { compare } from './compare.ts';

/** `npm run bench:compare -- [BEFORE [AFTER]]`; docs/benchmark.md explains it. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    accounts: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '90' },
    only: { type: 'string', default: '' },
  },
});
const [from = 'HEAD', to] = positionals;
const options = { accounts: Number(values.accounts), seconds: Number(values.seconds), only: values.only };
const log = (line: string) => console.error(`  ${line}`);
process.once('SIGINT', () => process.exit(1));

log(`building ${from} and ${to ?? 'the working tree'}`);
const before = buildCommit(from);
process.once('exit', before.remove);
const after = to === undefined ? buildWorkingTree() : buildCommit(to);
process.once('exit', after.remove);
const { requests, loads } = await compare(before, after, options, log);

/** A smaller difference is not worth a second look. */
const LEAST = 0.05;
/** A wider range says nothing: the machine is too busy, or the measurement too short. */
const WIDEST = 0.15;

const slower: string[] = [];
const judge = (name: string, { ratio, low, high }: Estimate) => {
  if (low > 1 + LEAST) slower.push(`${name} (${ratio.toFixed(2)})`);
  const verdict = low > 1 + LEAST ? 'slower' : high < 1 - LEAST ? 'faster' : high - low > WIDEST ? 'unclear' : '';
  return [ratio.toFixed(2), `${low.toFixed(2)}–${high.toFixed(2)}`, verdict];
};
console.log(
  `CPU of the server for each request, ${whole(options.accounts)} accounts: ${before.name} (before), ${after.name} (after)\n`,
);
console.log(
  renderTable({
    columns: ['request', 'before µs', 'after µs', 'ratio', 'lowest–highest', 'verdict'],
    rows: [
      ...requests.map(({ name, ratio, ours, base }) => [
        name,
        ...[base.cpuMicros, ours.cpuMicros].map((micros) => micros.toFixed(0)),
        ...judge(name, ratio),
      ]),
      ...loads.map(({ name, ratio }) => [name, '', '', ...judge(name, ratio)]),
    ],
  }),
);
const resized = requests.filter(({ ours, base }) => Math.abs(ours.bytes / base.bytes - 1) > 0.01);
for (const { name, ours, base } of resized) {
  console.log(`\nAnswers have another size: ${name}, ${whole(base.bytes)} bytes before and ${whole(ours.bytes)} after`);
}
console.log(
  slower.length === 0 ? `\nNothing is slower by more than ${LEAST * 100} %.` : `\nSlower: ${slower.join(', ')}`,
);
if (slower.length > 0) process.exitCode = 1;
