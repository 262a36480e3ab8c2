import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EvmNode } from '../indexer/evm-node.ts';
import { indexOnce, play, startChains } from '../indexer/harness.ts';
import { useOwnDatabase } from '../store/own-database.ts';
import { dumpCleanReplay } from '../support/clean-replay.ts';
import { dump } from '../support/dump.ts';
import { engines, type TestDatabase } from '../support/engines.ts';
import { loadRanks } from '../support/load.ts';
import { waitFor } from '../support/wait-for.ts';
import { useHeldLock } from './held-lock.ts';
import { LOGS } from './import-files.ts';
import { followKithHere, runKith } from './run-here.ts';
import { failureIn } from './run-kith.ts';

const [REWOUND_CHAIN, REWOUND_TO] = [8453, 5];
const DAMAGED_CHAIN = 10;

/** How an indexed database differs from its nodes. */
interface Lack {
  /** The logs of one chain. */
  readonly isDamaged: boolean;
  /** The blocks of another chain above one. */
  readonly isRewound: boolean;
}
const AT_FIRST: Lack = { isDamaged: true, isRewound: false };

/** What a command leaves, or the code of the error that leaves the database as it is. */
const COMMANDS: Readonly<Record<string, { args: readonly string[]; effect(before: Lack): Lack | string }>> = {
  index: { args: ['index'], effect: (before) => ({ ...before, isRewound: false }) },
  'verify --repair': {
    args: ['verify', '--all', '--repair'],
    effect: (before) => ({ ...before, isDamaged: false }),
  },
  rewind: {
    args: ['rewind', '--chain', `${REWOUND_CHAIN}`, '--block', `${REWOUND_TO}`],
    effect: (before) => (before.isRewound ? 'E_USAGE' : { ...before, isRewound: true }),
  },
  rebuild: { args: ['rebuild'], effect: (before) => before },
};
const NAMES = Object.keys(COMMANDS);
const PAIRS = NAMES.flatMap((first) => NAMES.map((second): [string, string] => [first, second]));
/** They need the lock of the indexer. The indexer waits for it, a rewind does not. */
const LOCKING = ['index', 'rewind'];

describe.each(engines)('two commands that write to an indexed database at once on $name', (engine) => {
  const own = useOwnDatabase(engine);
  const startTogether = useHeldLock(engine.name);
  let nodes: EvmNode[];
  beforeAll(async () => {
    nodes = await startChains();
    await play(nodes, LOGS);
    for (const node of nodes) await node.mineMany(3);
  });
  afterAll(async () => {
    for (const node of nodes) await node.stop();
  });

  /** The rows of a clean replay of the logs that are not lacking. */
  const rowsWith = async ({ isDamaged, isRewound }: Lack) => {
    const logs = (await Promise.all(nodes.map((node) => node.logs()))).flat();
    const isLeft = ({ chainId, blockNumber }: (typeof logs)[number]) =>
      !(isDamaged && chainId === DAMAGED_CHAIN) &&
      !(isRewound && chainId === REWOUND_CHAIN && Number(blockNumber) > REWOUND_TO);
    return dumpCleanReplay(engine, logs.filter(isLeft));
  };

  it.each(PAIRS)('%s and %s end as one after the other', async (...names) => {
    const store = await own.open();
    await indexOnce(store, nodes);
    await store.transaction(async (tx) => {
      for (const table of ['logs', 'blocks'] as const)
        await tx.execute((db) => db.deleteFrom(table).where('chain_id', '=', DAMAGED_CHAIN));
    });
    expect(await runKith(['rebuild'], { env: { DATABASE_URL: own.database.url } })).toMatchObject({ code: 0 });
    const starts = names.map((name) => () => start(own.database, name, nodes));
    const running = await startTogether(own.database, store, starts);
    const [first = '', second = ''] = await Promise.all(running.map((command) => command.result()));
    const [a = '', b = ''] = names;
    // An indexer ranks once a minute, and may have ended before that.
    await loadRanks(store, 0);
    const rows = await dump(store);

    const outcomes = [outcomeOf(a, b), outcomeOf(b, a, true), ...refusalsOf(a, b)].filter(
      (outcome) => outcome.first === first && outcome.second === second,
    );
    expect(outcomes, `${first}, ${second}`).not.toEqual([]);
    const expected = await Promise.all(outcomes.map(({ lack }) => rowsWith(lack)));
    expect(expected).toContainEqual(rows);
  });
});

function resultOf(name: string, before: Lack) {
  const after = COMMANDS[name]?.effect(before) ?? expect.fail(name);
  return typeof after === 'string' ? { said: after, lack: before } : { said: 'ok', lack: after };
}

/** The outcome of one command after the other. */
function outcomeOf(a: string, b: string, isSwapped = false) {
  const one = resultOf(a, AT_FIRST);
  const two = resultOf(b, one.lack);
  const [first, second] = isSwapped ? [two.said, one.said] : [one.said, two.said];
  return { first, second, lack: two.lack };
}

function refusalsOf(a: string, b: string) {
  if (![a, b].every((name) => LOCKING.includes(name))) return [];
  const refused = 'E_INDEXER_RUNNING';
  return [
    { name: a, first: refused, second: 'ok', lack: resultOf(b, AT_FIRST).lack },
    { name: b, first: 'ok', second: refused, lack: resultOf(a, AT_FIRST).lack },
  ].filter(({ name }) => name === 'rewind');
}

function start(database: TestDatabase, name: string, nodes: readonly EvmNode[]) {
  const { args } = COMMANDS[name] ?? expect.fail(name);
  const settings = nodes.flatMap(({ chainId, url }) => [
    [`RPC_URL_${chainId}`, url],
    [`START_BLOCK_${chainId}`, '0'],
    [`FINALITY_DEPTH_${chainId}`, '0'],
  ]);
  const env = { DATABASE_URL: database.url, NAME_REQUESTS_PER_SECOND: '0', ...Object.fromEntries(settings) };
  const running = followKithHere(args, { env });
  let hasEnded = false;
  const outcome = running.outcome.finally(() => {
    hasEnded = true;
  });
  onTestFinished(async () => {
    running.end();
    await outcome;
  });
  return {
    isBlocked: () => hasEnded || /waiting for another process|standing by/.test(running.stderr()),
    /** `ok`, or the code of its error. An indexer is stopped when it has caught up with all chains. */
    async result(): Promise<string> {
      if (name === 'index')
        await waitFor(async () => {
          if (!hasEnded) expect(running.stderr().match(/caught up with the chain/g)).toHaveLength(nodes.length);
        });
      if (name === 'index') running.end();
      const { code, stderr } = await outcome;
      return code === 0 ? 'ok' : (/\[(E_\w+)\]$/.exec(failureIn(stderr))?.[1] ?? stderr);
    },
  };
}
