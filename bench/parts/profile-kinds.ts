import { runLoad } from '../harness/measure.ts';
import { pathsOf } from '../harness/requests.ts';
import { profileServer, SERVER_PARTS } from '../profile/profile-server.ts';
import type { Findings } from '../report/findings.ts';
import type { Figure, Graph } from './http.ts';
import { nameOf } from './http-bars.ts';
import type { Bench } from './part.ts';

const PROFILE_MS = 4_000;

/** Shows why a bar was missed: where the server's time goes under the same load. */
export async function profileKinds(
  { load, tell }: Bench,
  graphs: readonly Graph[],
  missed: readonly Figure[],
): Promise<Findings> {
  const rows: string[][] = [];
  for (const figure of missed) {
    const { accounts, cache, kind } = figure;
    const graph = graphs.find((one) => one.accounts === accounts);
    if (graph === undefined) throw new Error(`there is no graph of ${accounts} accounts`);
    tell(`profile of ${nameOf(figure)}`);
    const paths = pathsOf(kind, graph.subjects, cache.distinct);
    const env = { DATABASE_URL: graph.url, CACHE_MB: cache.megabytes };
    const shares = await profileServer(env, (server) => runLoad(load, server, paths, PROFILE_MS));
    const percent = (part: string) => `${((shares.get(part) ?? 0) * 100).toFixed(0)} %`;
    rows.push([nameOf(figure), ...SERVER_PARTS.map(percent)]);
  }
  return {
    bars: [],
    tables: [
      {
        title: 'Where the time goes in what missed its bar',
        note: `Self time of the serving thread over ${PROFILE_MS / 1000} s of the same load, without waiting; system calls count for what makes them.`,
        columns: ['request', ...SERVER_PARTS],
        rows,
      },
    ],
    plots: [],
  };
}
