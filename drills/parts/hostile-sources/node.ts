import type { Answerer } from '../../../test/indexer/node-proxy.ts';
import { follow, slotOf } from '../../../test/model/small-history.ts';
import { sleep } from '../../harness/numbers.ts';
import type { HostileCase } from './case.ts';
import { attackOf } from './resolver.ts';
import { accountAt, type Service, startService } from './service.ts';

const SLOT = slotOf(1n);
/** In no bloom filter of a block. */
const OTHER_SLOT = slotOf(77n);
const LIE_MS = 4_000;
const BLOCK_MS = 250;
const DEPTH = 3;
/** More than the blocks that are not final, so that `kith verify` reads all that matter. */
const LATER_BLOCKS = 60;

let next = 1_000;
const mineFollow = ({ base }: Service) => base.mine([follow(SLOT, accountAt(next++))]);

function reorganise(service: Service): void {
  service.base.rollBack(DEPTH);
  for (let i = 0; i <= DEPTH + 1; i++) mineFollow(service);
}

/** Says that the head is final. */
const finalHead: Answerer = (call, forward) =>
  forward(call.params[0] === 'finalized' ? { ...call, params: ['latest', ...call.params.slice(1)] } : call);

/** Mines blocks for some seconds, or until `isOver`. */
async function mineFor(service: Service, isOver: () => boolean): Promise<void> {
  for (const end = performance.now() + LIE_MS; performance.now() < end && !isOver(); ) {
    mineFollow(service);
    await sleep(BLOCK_MS);
  }
}

const nodeCase = (name: string, run: (service: Service) => Promise<void>): HostileCase => ({
  name: `node: ${name}`,
  async prepare(setting) {
    const service = await startService(setting);
    const attack = attackOf(service, async () => {
      await run(service);
      for (let i = 0; i < LATER_BLOCKS; i++) service.base.mine([]);
    });
    return {
      ...attack,
      outcome: { 'the chain is indexed, with its logs': service.isVerified },
    };
  },
});

export const nodeCases: readonly HostileCase[] = [
  nodeCase('says for 4 s that the head is final, then a reorg of 3 blocks', async (service) => {
    service.hostile.node = finalHead;
    await mineFor(service, () => false);
    delete service.hostile.node;
    reorganise(service);
  }),
  nodeCase('the same, the reorg being between the check of the cursor and the next range', async (service) => {
    let isOver = false;
    service.hostile.node = (call, forward) => {
      const [filter] = call.params as [{ fromBlock?: string }?];
      const isRange = call.method === 'eth_getLogs' && filter?.fromBlock !== undefined;
      if (isRange && Number(filter.fromBlock) > firstLie + DEPTH) {
        isOver = true;
        delete service.hostile.node;
        reorganise(service);
      }
      return finalHead(call, forward);
    };
    const firstLie = service.base.head().number;
    await mineFor(service, () => isOver);
    delete service.hostile.node;
    // The indexer has not read a block that is not final as one that is.
    if (!isOver) reorganise(service);
  }),
  nodeCase('adds a log to each block that its bloom filter does not contain', async (service) => {
    let added = 0;
    service.hostile.node = async (call, forward) => {
      const found = await forward(call);
      const [{ blockHash } = {}] = call.params as [{ blockHash?: string }?];
      const { hash, number, time } = service.base.head();
      if (call.method !== 'eth_getLogs' || blockHash !== hash) return found;
      added += 1;
      const [hex, log] = [(value: number) => `0x${value.toString(16)}`, follow(OTHER_SLOT, accountAt(next++))];
      const place = { blockHash, blockNumber: hex(number), blockTimestamp: hex(time), logIndex: hex(99) };
      return [...(found as unknown[]), { ...log, ...place, removed: false }];
    };
    await mineFor(service, () => false);
    if (added === 0) throw new Error('no log was added');
  }),
];
