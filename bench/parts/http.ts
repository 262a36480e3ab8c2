import { type DataSet, makeDataSet, SUBJECTS, type Subject, select } from '../harness/data-sets.ts';
import { type Measured, measure } from '../harness/measure.ts';
import { type Server, startKith } from '../harness/processes.ts';
import { CLIENT_KINDS, DISTINCT, KINDS, type Kind, pathsOf, SEARCH } from '../harness/requests.ts';
import { spread, whole } from '../numbers.ts';
import type { Options } from '../options.ts';
import type { Findings, Table } from '../report/findings.ts';
import { barsOf, flatBars, nameOf, ratioOf } from './http-bars.ts';
import { plotHttp } from './http-plots.ts';
import type { Bench, Part } from './part.ts';
import { type Missed, profileRequests } from './profile-requests.ts';
import { timeTerms } from './search-terms.ts';

/** Result of one kind of request at one graph size and cache state. */
export interface Figure {
  readonly accounts: number;
  readonly cache: Cache;
  readonly kind: Kind;
  readonly measured: Measured;
}

/** `distinct` is the number of different requests: many with the cache off, few for cache hits. */
interface Cache {
  readonly name: 'cache off' | 'hits';
  readonly megabytes: string;
  readonly distinct: number;
  readonly kinds: readonly Kind[];
}

const CACHES: readonly Cache[] = [
  { name: 'cache off', megabytes: '0', distinct: DISTINCT, kinds: [...KINDS, ...CLIENT_KINDS] },
  { name: 'hits', megabytes: '64', distinct: 500, kinds: KINDS },
];

export const http: Part = {
  name: 'http',
  title: 'Throughput and latency',
  async run(bench) {
    const { options } = bench;
    const figures: Figure[] = [];
    const extra: Findings[] = [];
    const graphs: Graph[] = [];
    for (const accounts of options.sizes) {
      const dataSet = await makeDataSet(accounts);
      graphs.push({ ...dataSet, subjects: select<Subject>(dataSet, SUBJECTS) });
    }
    for (const cache of CACHES) figures.push(...(await measureKinds(bench, graphs, cache)));
    const atBars = figures.filter(({ accounts }) => accounts === options.barsAt);
    const graph = graphs.find(({ accounts }) => accounts === options.barsAt);
    if (graph !== undefined && SEARCH.name.includes(options.only)) {
      extra.push(await timeTerms(bench, graph.url, graph.subjects));
    }
    const missed = options.isQuick ? [] : figures.filter((figure) => hasMissed(figure, figures, options));
    const profiles = await profileRequests(
      bench,
      missed.map((figure) => toMissed(figure, graphs)),
    );
    return {
      bars: [...barsOf(atBars), ...extra.flatMap(({ bars }) => bars), ...flatBars(figures, options)],
      tables: [...tablesOf(figures), ...extra.flatMap(({ tables }) => tables), ...profiles],
      plots: plotHttp(figures, options.barsAt),
    };
  },
};

/** Whether a result misses its throughput bar, or the comparison of graph sizes that it is part of misses its bar. */
function hasMissed(figure: Figure, figures: readonly Figure[], options: Options): boolean {
  const { accounts, cache, kind } = figure;
  const bars = accounts === options.barsAt ? barsOf([figure]) : [];
  if (accounts === options.flatFrom || accounts === options.large) {
    const alike = figures.filter((other) => other.kind === kind && other.cache === cache);
    bars.push(...flatBars(alike, options));
  }
  return bars.some(({ isReached }) => !isReached);
}

function toMissed(figure: Figure, graphs: readonly Graph[]): Missed {
  const { accounts, cache, kind } = figure;
  const graph = graphs.find((one) => one.accounts === accounts);
  if (graph === undefined) throw new Error(`no graph of ${accounts} accounts`);
  const paths = pathsOf(kind, graph.subjects, cache.distinct);
  return { name: nameOf(figure), env: { DATABASE_URL: graph.url, CACHE_MB: cache.megabytes }, paths };
}

interface Graph extends DataSet {
  readonly subjects: readonly Subject[];
}

/** Measures all sizes alternately, so that they are compared under the same conditions. */
async function measureKinds({ options, load, log }: Bench, graphs: readonly Graph[], cache: Cache): Promise<Figure[]> {
  const { rounds, ms } = options;
  const figures: Figure[] = [];
  const started: Server[] = [];
  try {
    for (const { url } of graphs) started.push(await startKith({ DATABASE_URL: url, CACHE_MB: cache.megabytes }));
    for (const kind of cache.kinds.filter(({ name }) => name.includes(options.only))) {
      const servers = graphs.map(({ subjects }, i) => ({
        // Safe: one server per graph.
        server: started[i] as Server,
        paths: pathsOf(kind, subjects, cache.distinct),
      }));
      for (const [i, measured] of (await measure({ load, servers, rounds, ms })).entries()) {
        // Safe: one result per server.
        const { accounts } = graphs[i] as Graph;
        const figure = { accounts, cache, kind, measured };
        log(`${nameOf(figure)}: ${ratioOf(measured)}`);
        figures.push(figure);
      }
    }
  } finally {
    for (const server of started) await server.stop();
  }
  return figures;
}

/** One table per size and cache state. */
function tablesOf(figures: readonly Figure[]): Table[] {
  const titleOf = ({ accounts, cache }: Figure) => `${whole(accounts)} accounts, ${cache.name}`;
  return [...new Set(figures.map(titleOf))].map((title) => ({
    title,
    columns: [
      'request',
      'ratio',
      'by CPU',
      'per second',
      'bare server',
      'p50 ms',
      'p90 ms',
      'p99 ms',
      'generator cores',
      'bytes',
    ],
    rows: figures
      .filter((figure) => titleOf(figure) === title)
      .map(({ kind, measured: m }) => [
        kind.name,
        spread(m.ratios),
        m.byCpu.toFixed(2),
        whole(m.perSecond),
        whole(m.barePerSecond),
        ...[m.p50, m.p90, m.p99, m.generator].map((value) => value.toFixed(2)),
        whole(m.bytes),
      ]),
  }));
}
