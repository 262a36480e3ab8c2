import { join } from 'node:path';
import { millis, whole } from '../../bench/numbers.ts';
import { below } from '../../bench/report/findings.ts';
import { atMost, type Drill, holds } from '../drill.ts';
import { tagOf } from '../harness/hostile-graph.ts';
import { startKith } from '../harness/kith.ts';
import { peakMegabytes } from '../harness/process-samples.ts';
import { drain } from '../harness/request.ts';
import { createTurnProbe } from '../harness/turn-probe.ts';
import { makeWorstGraph } from '../harness/worst-graph.ts';

const TURN_BAR_MS = 20;
const PEAK_BAR_MB = 700;
const REPEATS = 3;

export const worstRequests: Drill = {
  name: 'worst-requests',
  title: 'The longest turn of the event loop during the longest answers that a graph and profiles can make',
  limitMinutes: 10,
  async run({ isQuick, folder, defer, log }) {
    const { url, list, target, followers } = await makeWorstGraph(folder, isQuick);
    const probe = createTurnProbe(join(folder, 'probe'));
    const server = await startKith('serve', { DATABASE_URL: url, CACHE_MB: '0', ...probe.env });
    defer(server.stop);
    const user = `/users/${target}`;
    const pages = [
      `${user}/followers?limit=1`,
      `${user}/followers?limit=100&include=ens`,
      `${user}/followers?limit=1000`,
      `${user}/followers?limit=1000&include=ens`,
      `/lists/${list}/following?limit=100&include=ens`,
      `/lists/${list}/allFollowing?limit=1000&include=ens`,
      `${user}/searchFollowers?term=worst&limit=1000`,
      `/lists/${list}/searchFollowing?term=worst&limit=1000`,
      `/users/${followers[0]}/recommended/details?limit=1000`,
      `${user}/relationships?direction=incoming&limit=1000&tag=${encodeURIComponent(tagOf(0))}`,
      `${user}/tags`,
      `/users/${followers[0]}/details`,
      `/users/${followers[0]}/recommended?limit=1000`,
      '/leaderboard/search?limit=100',
      '/leaderboard/ranked?limit=1000',
      '/leaderboard/search?term=worst&limit=1000',
      '/discover?limit=1000',
      '/minters?limit=1000',
      `/users/${followers[0]}/notifications?interval=all&limit=1000`,
      `/exportState/${list}`,
      `/lists/${list}/records`,
    ].map((rest) => `/api/v1${rest}`);
    const get = (path: string) => async () => drain(server.port, path);
    const post = (path: string, accounts: readonly string[]) => async () => {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(accounts);
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers, body });
      return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
    };
    const requests = [
      ...pages.map((path) => ({ what: path.slice(0, 90), send: get(path) })),
      { what: 'POST /api/v1/accounts', send: post('/api/v1/accounts', followers.slice(0, 1_000)) },
      { what: 'POST buttonStateBatch', send: post(`/api/v1/lists/${list}/buttonStateBatch`, followers) },
      { what: 'POST /api/v1/edges/among', send: post('/api/v1/edges/among', [target, ...followers.slice(0, 199)]) },
    ];
    const rows = [];
    for (const { what, send } of requests) {
      // The first answer compiles a serialiser and statements.
      const { status, bytes } = await send();
      const turns: number[] = [];
      await probe.read();
      for (let i = 0; i < REPEATS; i++) {
        await send();
        turns.push(await probe.read());
      }
      // A turn with a collection of garbage is longer, and which request has it is chance.
      const turn = turns.sort((a, b) => a - b)[Math.floor(REPEATS / 2)] ?? 0;
      const measured = `${millis(turn)}, ${whole(bytes)} bytes`;
      log(`${what}: ${status}, ${measured}`);
      rows.push(below(`CPU time of the longest turn during ${what}`, TURN_BAR_MS, turn, measured));
      rows.push(holds('its answer', '200', status === 200, String(status)));
    }
    return [...rows, atMost('peak memory of the server', PEAK_BAR_MB, peakMegabytes(server.pid), ' MB')];
  },
};
