import { join } from 'node:path';
import { demoLogs } from '../../src/demo/demo-logs.ts';
import { createRandom } from '../../test/model/random.ts';
import { atMost, type Drill, figure, holds } from '../drill.ts';
import { DEMO_NOW } from '../harness/graphs.ts';
import { indexingEnv, isIndexed } from '../harness/indexing.ts';
import { type KithServer, spawnKith, startKith } from '../harness/kith.ts';
import { sleep, until } from '../harness/numbers.ts';
import { startSimulatedChain } from '../harness/simulated-chain.ts';
import { createEventClients, readHistory } from './event-streams/event-clients.ts';
import { blocksOf, mineAll, play } from './kill/kill-indexer.ts';
import { urlOf } from './kill/prepare.ts';

const CHAINS = [8453, 10];
const ACCOUNTS = 150;
/** Blocks and reorgs go on while a killed indexer waits for its lease, and after it. */
const BLOCK_MS = 200;
const INDEXED_LIMIT_MS = 60_000;
const EQUAL_LIMIT_MS = 60_000;
const LIMITS = {
  MAX_EVENT_STREAMS: '4000',
  MAX_EVENT_STREAMS_PER_CLIENT: '4000',
  MAX_CONNECTIONS: '8000',
  MAX_CONNECTIONS_PER_CLIENT: '8000',
};

export const eventStreams: Drill = {
  name: 'event-streams',
  title: 'SIGKILL to the indexer and the server under event streams, with reorgs',
  limitMinutes: 6,
  async run({ isQuick, seed, folder, log, defer }) {
    const random = createRandom(seed);
    const [count, kills] = isQuick ? [100, 4] : [1_000, 10];
    const path = join(folder, 'events.db');
    const chains = await Promise.all(CHAINS.map((chainId) => startSimulatedChain(chainId, DEMO_NOW)));
    for (const chain of chains) defer(() => chain.stop());
    const logs = [...demoLogs({ accounts: ACCOUNTS, seed: random.int(1000), now: DEMO_NOW })];
    const cut = Math.floor(logs.length * 0.2);
    for (const chain of chains) mineAll(chain, logs.slice(0, cut));

    const startIndexer = () => spawnKith(['index'], { ...urlOf(path), ...indexingEnv(chains) });
    const startServer = () => startKith('serve', { ...urlOf(path), ...LIMITS });
    let indexer = startIndexer();
    defer(() => indexer.stop());
    if (!(await until(() => isIndexed(path, chains), INDEXED_LIMIT_MS, 200)))
      throw new Error(`not indexed: ${indexer.output().slice(-500)}`);
    let server: KithServer = await startServer();
    defer(() => server.stop());
    const clients = createEventClients(count, () => server.port);
    defer(clients.stop);

    const playing = play(
      chains.map((chain) => ({ chain, blocks: blocksOf(chain, logs.slice(cut)) })),
      random,
      BLOCK_MS,
    );
    for (let i = 0; i < kills; i++) {
      await sleep(500 + random.int(2_500));
      if (i % 2 === 1) {
        await indexer.kill();
        indexer = startIndexer();
      } else {
        await server.kill();
        server = await startServer();
      }
      log(`${i + 1}: ${i % 2 === 1 ? 'indexer' : 'server'} killed`);
    }
    await playing;
    const isDone = await until(() => isIndexed(path, chains), INDEXED_LIMIT_MS, 200);
    const history = isDone ? await readHistory(server.port) : new Set<string>();
    const isEqual = await until(() => clients.different(history) === 0, EQUAL_LIMIT_MS, 500);
    const { connections, undone, repeated } = clients.counts();
    return [
      figure('kills', `${kills}, seed ${seed}`),
      figure('connections, and undos that clients have applied', `${connections}, ${undone}`),
      holds('the chains', 'indexed', isDone && history.size > 0, `${history.size} events`),
      holds(`${count} streams`, 'as a clean replay', isEqual, `${clients.different(history)} differ`),
      atMost('events that a client got again without an undo', 0, repeated),
    ];
  },
};
