import { KINDS, pathsOf } from '../harness/requests.ts';
import { whole } from '../numbers.ts';
import { compareWith, openGraph } from './pages.ts';
import type { Part } from './part.ts';
import { ratioTable } from './ratios.ts';

const BARE_BYTES = 2_000;

/** A table without bars: what each kind of request costs. */
export const requests: Part = {
  name: 'requests',
  title: 'Every kind of request',
  async run(bench) {
    const { url, subjects, accounts } = await openGraph(bench.options.accounts);
    const compared = await compareWith(
      bench,
      bench.options.seconds / 2,
      async (servers) => {
        const kith = await servers.kith({ DATABASE_URL: url, CACHE_MB: '0' });
        const base = { servers: await servers.bare(BARE_BYTES), paths: ['/'] };
        return KINDS.map((kind) => ({
          name: kind.name,
          ours: { servers: kith, paths: pathsOf(kind, subjects) },
          base,
        }));
      },
      1,
    );
    const note = `${whole(accounts)} accounts, SQLite, cache off, 16 connections. The bare server sends ${whole(BARE_BYTES)} bytes.`;
    return { bars: [], tables: [ratioTable('CPU time, rate and latency', note, 'bare', compared)] };
  },
};
