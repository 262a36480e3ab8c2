import { describe, expect, it, onTestFinished } from 'vitest';
import { DeepReorgError } from '../../src/indexer/reorg.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { createRandom } from '../model/random.ts';
import { ANNS, BOB, follow } from '../model/small-history.ts';
import { anyEngine } from '../support/engines.ts';
import { type IndexerOverrides, startIndexer, untilIndexed } from './harness.ts';
import { type Answerer, type NodeProxy, startNodeProxy } from './node-proxy.ts';
import { expectCleanReplay, loggedReorgs, readCursor, until } from './reorg-support.ts';
import { useNode } from './use-node.ts';

const CHAIN = 8453;
/** The final block is two blocks behind the head. */
const EPOCH = 1;
const FULL_BLOOM = `0x${'ff'.repeat(256)}`;
const EMPTY_BLOOM = `0x${'00'.repeat(256)}`;
const OTHER_HASH = `0x${'ab'.repeat(32)}`;

const honest: Answerer = (call, forward) => forward(call);
const isRange: (call: Parameters<Answerer>[0]) => boolean = ({ method, params: [filter] }) =>
  method === 'eth_getLogs' && (filter as { fromBlock?: string }).fromBlock !== undefined;
/** Changes all blocks of a node. */
const withBlocks =
  (change: (block: object) => object, answer: Answerer = honest): Answerer =>
  async (call, forward) => {
    const found = await answer(call, forward);
    return call.method.startsWith('eth_getBlockBy') && found !== null ? change(found as object) : found;
  };

describe.each(anyEngine)('an indexer into $name, from a node that lies (seed 71)', (engine) => {
  const random = createRandom(71);
  const node = useNode(engine, { epoch: EPOCH, random, blocks: 12 });

  /** Starts an indexer through a proxy for each behaviour. */
  const indexThrough = async (answers: readonly Answerer[], overrides: IndexerOverrides = {}) => {
    const proxies: NodeProxy[] = [];
    for (const answer of answers) {
      const proxy = await startNodeProxy(node.evm.url, answer);
      onTestFinished(proxy.stop);
      proxies.push(proxy);
    }
    const rpcUrls = new Map([[CHAIN, proxies.map(({ url }) => url)]]);
    const running = startIndexer(node.store, [node.evm], { rpcUrls, ranksMs: 3_600_000, ...overrides });
    onTestFinished(() => running.stop().catch(() => undefined));
    const warnings = () =>
      running.log
        .map((line) => JSON.parse(line) as { level: number; host?: string; err?: { message: string } })
        .filter(({ level }) => level >= 40);
    return {
      running,
      proxies,
      warnings,
      hosts: proxies.map(({ url }) => new URL(url).host),
      indexed: () => untilIndexed(node.store, [node.evm], running),
    };
  };
  const depths = (depth: number) => ({ finalityDepths: new Map([[CHAIN, depth]]) });
  const cursorNumber = async () => (await readCursor(node.store, CHAIN))?.number;
  const faultsOf = async (host: string) => {
    const rows = await node.store.transaction((tx) => tx.query((db) => db.selectFrom('counters').selectAll()));
    return rows.find(({ label }) => label === `${CHAIN} ${host} contradicted`)?.value ?? 0;
  };

  describe('about finality', () => {
    /** Says that the head is final while `isLying`. */
    const callsHeadFinal =
      (isLying: () => boolean): Answerer =>
      ({ method, params }, forward) =>
        forward({ method, params: params[0] === 'finalized' && isLying() ? ['latest', false] : params });

    it('follows a reorg of blocks that were called final', async () => {
      let isLying = true;
      const { running, indexed } = await indexThrough([callsHeadFinal(() => isLying)], depths(8));
      await indexed();
      await node.mine(4);
      await indexed();
      await node.evm.rollBack(3);
      isLying = false;
      await node.mine(5);
      await indexed();
      await running.stop();
      expect(loggedReorgs(running)).toMatchObject([{ depth: 3 }]);
      await expectCleanReplay(node.store, [node.evm]);
    });

    it('stores no range of another branch if a reorg removes the block before it meanwhile', async () => {
      let hold: Promise<void> | undefined;
      let release = () => {};
      const final = callsHeadFinal(() => true);
      const { running, proxies, indexed } = await indexThrough([
        async (call, forward) => {
          if (isRange(call)) await hold;
          return final(call, forward);
        },
      ]);
      await indexed();
      hold = new Promise((resolve) => {
        release = resolve;
      });
      const ranges = () => proxies.flatMap(({ calls }) => calls).filter(isRange).length;
      const known = ranges();
      let before: number | undefined;
      // A block that is mined between the calls for the final block and the head is read on its own.
      do {
        before = await cursorNumber();
        await node.mine(1);
        await until(async () => ranges() > known || (await cursorNumber()) !== before, running);
      } while (ranges() === known);
      await node.evm.rollBack(3);
      await node.mine(5);
      release();
      await expect(running.ended).rejects.toThrow(DeepReorgError);
      expect(await cursorNumber()).toBe(before);
    });
  });

  /** A log that the chain does not have, in the block of another log. */
  const invent = (log: RawLog): RawLog => ({ ...log, logIndex: '0x63', topics: [log.topics[0] ?? '', OTHER_HASH] });
  const inventIn =
    (isAsked: (call: Parameters<Answerer>[0]) => boolean, isLying: () => boolean = () => true): Answerer =>
    async (call, forward) => {
      const answer = await forward(call);
      const last = isAsked(call) && isLying() ? (answer as RawLog[]).at(-1) : undefined;
      return last === undefined ? answer : [...(answer as RawLog[]), invent(last)];
    };
  const isHead = (call: Parameters<Answerer>[0]) => call.method === 'eth_getLogs' && !isRange(call);

  describe('about logs', () => {
    it.each([
      ['of the head', isHead],
      ['of a range of final blocks', isRange],
    ])('refuses a log %s that the bloom filter of its block lacks, and asks another node', async (_, isAsked) => {
      const { running, hosts, indexed, warnings } = await indexThrough([inventIn(isAsked), honest]);
      await indexed();
      await running.stop();
      const [liar = '', other = ''] = hosts;
      expect(warnings()).toContainEqual(
        expect.objectContaining({
          host: liar,
          err: expect.objectContaining({
            message: expect.stringMatching(/contradicted response: log 99 of block \d+ is not in the bloom filter/),
          }),
        }),
      );
      expect([await faultsOf(liar), await faultsOf(other)]).toEqual([expect.any(Number), 0]);
      expect(await faultsOf(liar)).toBeGreaterThan(0);
      await expectCleanReplay(node.store, [node.evm]);
    });

    it('indexes a chain with empty bloom filters if the check is off', async () => {
      const { indexed } = await indexThrough([withBlocks((block) => ({ ...block, logsBloom: EMPTY_BLOOM }))], {
        bloomChecks: new Map([[CHAIN, 'off']]),
      });
      await indexed();
      await expectCleanReplay(node.store, [node.evm]);
    });
  });

  describe('while another node is compared with it', () => {
    let isLying: boolean;
    const comparing = { comparesNodes: true };
    const inventing = withBlocks(
      (block) => (isLying ? { ...block, logsBloom: FULL_BLOOM } : block),
      inventIn(isHead, () => isLying),
    );
    const renaming: Answerer = async (call, forward) => {
      const head = (await forward({ method: 'eth_getBlockByNumber', params: ['latest', false] })) as { number: string };
      const isOfHead = ({ number }: { number?: string }) => isLying && number === head.number;
      const rename = withBlocks((block) => (isOfHead(block) ? { ...block, hash: OTHER_HASH } : block));
      const isNamed = JSON.stringify(call.params).includes(OTHER_HASH);
      return isNamed && call.method === 'eth_getLogs' ? [] : rename(call, forward);
    };

    it.each([
      ['a log that no block has', inventing, /has \d+ logs, but \d+ or others at/],
      ['a head with another hash', renaming, /has hash 0x\w+, but 0x\w+ at/],
    ])('stores nothing from it for %s, and names both nodes', async (_, liar, message) => {
      isLying = false;
      const { running, hosts, indexed, warnings } = await indexThrough([liar, honest], comparing);
      await indexed();
      const before = await cursorNumber();
      isLying = true;
      await node.evm.mine([follow(ANNS, BOB)]);
      const mismatch = () =>
        warnings().find(({ host, err }) => host === hosts[0] && message.test(err?.message ?? ''))?.err?.message;
      await until(() => mismatch() !== undefined, running);
      expect(mismatch()).toContain(hosts[1]);
      expect(await cursorNumber()).toBe(before);
      isLying = false;
      await indexed();
      await expectCleanReplay(node.store, [node.evm]);
    });

    it('removes no block because of another branch that only one node has', async () => {
      isLying = false;
      const { running, indexed } = await indexThrough([honest, renaming], comparing);
      await indexed();
      const before = await cursorNumber();
      isLying = true;
      await until(() => running.log.some((line) => /no second node has block|"reorg:/.test(line)), running);
      expect([loggedReorgs(running), await cursorNumber()]).toEqual([[], before]);
      isLying = false;
      await node.evm.mine([follow(ANNS, BOB)]);
      await indexed();
      await expectCleanReplay(node.store, [node.evm]);
    });

    it('waits for a second node', async () => {
      isLying = false;
      let isAway = false;
      const { running, indexed } = await indexThrough(
        [
          honest,
          (call, forward) => {
            if (isAway) throw new Error('away');
            return forward(call);
          },
        ],
        comparing,
      );
      await indexed();
      const before = await cursorNumber();
      isAway = true;
      await node.evm.mine([follow(ANNS, BOB)]);
      await until(() => running.log.some((line) => line.includes('only one node answers')), running);
      expect(await cursorNumber()).toBe(before);
      isAway = false;
      await indexed();
      await expectCleanReplay(node.store, [node.evm]);
    });
  });
});
