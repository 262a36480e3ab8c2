import { type Drill, figure, holds, type Trial } from '../drill.ts';
import { startBalancer } from '../harness/balancer.ts';
import { type Graph, makeGraph } from '../harness/graphs.ts';
import { startKith } from '../harness/kith.ts';
import { startLoadGenerator } from '../harness/load-generator.ts';
import { sleep } from '../harness/numbers.ts';

const ACCOUNTS = 2_000;
const SERVERS = 2;
const CONNECTIONS = 8;
/** The default of SHUTDOWN_DELAY_S. */
const DELAY_SECONDS = 3;
/** Between two restarts, so that the balancer uses both servers again. */
const PAUSE_MS = 3_000;

export const restart: Drill = {
  name: 'restart',
  title: 'Two servers behind a load balancer are restarted one after the other',
  limitMinutes: 5,
  async run(trial) {
    const graph = await makeGraph(ACCOUNTS);
    const [without, delayed] = [await restartAll(trial, graph, 0), await restartAll(trial, graph, DELAY_SECONDS)];
    return [
      holds(`requests lost with SHUTDOWN_DELAY_S=${DELAY_SECONDS}`, 'none', delayed.lost === 0, describe(delayed)),
      figure('requests lost with SHUTDOWN_DELAY_S=0', describe(without)),
    ];
  },
};

interface Losses {
  readonly sent: number;
  readonly lost: number;
}

const describe = ({ sent, lost }: Losses) => `${lost} of ${sent.toLocaleString('en-GB')}`;

async function restartAll({ log, defer }: Trial, { url }: Graph, delaySeconds: number): Promise<Losses> {
  const serve = (port: number) =>
    startKith('serve', { DATABASE_URL: url, PORT: String(port), SHUTDOWN_DELAY_S: String(delaySeconds) });
  const servers = await Promise.all(Array.from({ length: SERVERS }, () => serve(0)));
  defer(async () => void (await Promise.all(servers.map((server) => server.kill()))));
  const balancer = await startBalancer(servers.map(({ port }) => port));
  defer(balancer.close);
  const generator = startLoadGenerator();
  defer(generator.stop);

  const job = { port: balancer.port, paths: ['/api/v1/leaderboard/search'], connections: CONNECTIONS };
  const seconds = SERVERS * (2 * delaySeconds + 12);
  const load = generator.run({ ...job, ms: seconds * 1_000 });
  for (const [i, server] of servers.entries()) {
    await sleep(PAUSE_MS);
    log(`restarting server ${i + 1} with a delay of ${delaySeconds} s`);
    await server.stop();
    servers[i] = await serve(server.port);
  }
  const { sent, refused, failed } = await load;
  balancer.close();
  generator.stop();
  await Promise.all(servers.map((server) => server.kill()));
  return { sent, lost: refused + failed };
}
