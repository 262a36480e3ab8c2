import { parseArgs } from 'node:util';
import { makeDataSet, readSubjects } from './data-sets.ts';
import { measure } from './measure.ts';
import { startKith, startLoadGenerator } from './processes.ts';
import { createDraw, HIT_BAR, KINDS } from './requests.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    sizes: { type: 'string' },
    only: { type: 'string', default: '' },
    rounds: { type: 'string' },
    ms: { type: 'string' },
  },
});
const sizes = (values.sizes ?? (values.quick ? '10000' : '1000,10000,100000,1000000')).split(',').map(Number);
const rounds = Number(values.rounds ?? (values.quick ? 3 : 5));
const ms = Number(values.ms ?? (values.quick ? 500 : 1_500));
const kinds = KINDS.filter(({ name }) => name.includes(values.only));
const load = startLoadGenerator();
for (const accounts of sizes) {
  const dataSet = await makeDataSet(accounts);
  const subjects = readSubjects(dataSet);
  for (const [label, cacheMb, count] of [
    ['cache off', '0', 20_000],
    ['hits', '64', 500],
  ] as const) {
    const server = await startKith({ DATABASE_URL: `sqlite:${dataSet.path}`, CACHE_MB: cacheMb });
    console.log(`\n${accounts} accounts, ${label}`);
    for (const kind of kinds) {
      const draw = createDraw(subjects, 7);
      const paths = Array.from({ length: count }, () => `/api/v1${kind.path(draw)}`);
      const m = await measure({ load, server, paths, rounds, ms });
      const bar = label === 'hits' ? HIT_BAR : kind.bar;
      console.log(
        `${m.ratio >= bar ? 'ok  ' : 'LOW '} ${kind.name.padEnd(22)} ${m.ratio.toFixed(2)} (${m.least.toFixed(2)}–${m.greatest.toFixed(2)}) of ${Math.round(m.bare.perSecond)}/s, bar ${bar}; p50 ${m.load.p50.toFixed(2)} p99 ${m.load.p99.toFixed(2)} max ${m.load.max.toFixed(1)} ms; generator ${m.load.cpu.toFixed(2)}`,
      );
    }
    await server.stop();
  }
}
load.stop();
