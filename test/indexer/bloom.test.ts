import fc from 'fast-check';
import { type Hex, toEventSelector } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVENT_TOPICS } from '../../src/protocol/decode-log.ts';
import { createBloomTest, isFull } from '../../src/rpc/check-logs.ts';
import { randomHistory } from '../model/random-history.ts';
import { ANNS, annsList, BOB, follow } from '../model/small-history.ts';
import { bloomOf } from './bloom-of.ts';
import { type EmittedLog, type EvmNode, startNode } from './evm-node.ts';
import { addressesOn, CHAINS, play } from './harness.ts';

const TOPICS = Object.values(EVENT_TOPICS);
const OTHER_CONTRACT = '0x00000000000000000000000000000000000000fe';
const OTHER_EVENT = toEventSelector('Approval(address,address,uint256)');
const EMPTY: Hex = `0x${'00'.repeat(256)}`;
const FULL: Hex = `0x${'ff'.repeat(256)}`;

describe('isFull', () => {
  it.each<[string, number, boolean]>([
    ['no bit', 0, false],
    ['half of the bits', 1024, false],
    ['one bit more than half', 1025, true],
    ['every bit', 2048, true],
  ])('is true for more than half of the bits: %s', (_, bits, full) => {
    const digits = Array.from({ length: 512 }, (_, i) =>
      (2 ** Math.min(4, Math.max(0, bits - i * 4)) - 1).toString(16),
    );
    expect(isFull(`0x${digits.join('')}`)).toBe(full);
  });
});

describe('createBloomTest', () => {
  const [contract = '0x', second = '0x'] = addressesOn(8453);
  const mayHaveLogs = createBloomTest(addressesOn(8453), TOPICS);

  it.each<[string, Hex, boolean]>([
    ['an empty filter', EMPTY, false],
    ['a full filter', FULL, true],
    ['one of our contracts with one of our events', bloomOf([contract, EVENT_TOPICS.ListOp]), true],
    ['another of our contracts with another of our events', bloomOf([second, EVENT_TOPICS.Transfer]), true],
    ['one of our contracts with another event', bloomOf([contract, OTHER_EVENT]), false],
    ['another contract with one of our events', bloomOf([OTHER_CONTRACT, EVENT_TOPICS.Transfer]), false],
    ['one of our contracts without any event', bloomOf([contract]), false],
    ['our events without any contract', bloomOf(TOPICS), false],
  ])('checks the contract and the event in %s', (_, bloom, expected) => {
    expect(mayHaveLogs(bloom)).toBe(expected);
  });

  it('accepts upper-case hex digits', () => {
    const bloom = bloomOf([contract, EVENT_TOPICS.ListOp]);
    expect(mayHaveLogs(`0x${bloom.slice(2).toUpperCase()}`)).toBe(true);
  });

  it('has no false negatives for logs of our contracts and events', () => {
    const bytes = (length: number) =>
      fc.uint8Array({ minLength: length, maxLength: length }).map((b): Hex => `0x${Buffer.from(b).toString('hex')}`);
    const others = fc.array(fc.oneof(bytes(20), bytes(32)), { maxLength: 200 });
    fc.assert(
      fc.property(
        fc.constantFrom(...CHAINS),
        fc.nat(),
        fc.constantFrom(...TOPICS),
        others,
        (chainId, i, topic, rest) => {
          const ours = addressesOn(chainId);
          const contract = ours[i % ours.length] ?? '0x';
          expect(createBloomTest(ours, TOPICS)(bloomOf([...rest, contract, topic]))).toBe(true);
        },
      ),
    );
  });
});

describe('createBloomTest on the blocks of a real node', () => {
  const mayHaveLogs = createBloomTest(addressesOn(8453), TOPICS);
  let node: EvmNode;

  beforeAll(async () => {
    node = await startNode(8453);
    await node.install([...addressesOn(8453), OTHER_CONTRACT]);
  });
  afterAll(() => node.stop());

  const testBlock = async (logs: readonly EmittedLog[]) => {
    await node.mine(logs);
    const { logsBloom } = await node.request<{ logsBloom: Hex }>('eth_getBlockByNumber', ['latest', false]);
    return mayHaveLogs(logsBloom);
  };
  const op = follow(ANNS, BOB);

  it('returns true for a block with a log of each contract and event', async () => {
    for (const log of [...annsList, op]) expect(await testBlock([log])).toBe(true);
    expect(await testBlock([...annsList, op])).toBe(true);
  });

  it('returns false for a block without logs of our contracts and events', async () => {
    expect(await testBlock([])).toBe(false);
    expect(await testBlock([{ ...op, address: OTHER_CONTRACT }])).toBe(false);
    expect(await testBlock([{ ...op, topics: [OTHER_EVENT] }])).toBe(false);
  });

  it('returns true for exactly the blocks of a random history that have our logs', async () => {
    const first = await node.blockNumber();
    await play([node], randomHistory(4, { logs: 150 }));
    const isOurs = ({ address, topics }: EmittedLog) =>
      addressesOn(8453).some((ours) => ours === address) && TOPICS.some((topic) => topic === topics[0]);
    const expected = new Set((await node.logs()).filter(isOurs).map((log) => Number(log.blockNumber)));
    const matched: number[] = [];
    for (let number = first + 1; number <= (await node.blockNumber()); number++) {
      const hex = `0x${number.toString(16)}`;
      const { logsBloom } = await node.request<{ logsBloom: Hex }>('eth_getBlockByNumber', [hex, false]);
      if (mayHaveLogs(logsBloom)) matched.push(number);
    }
    // With few logs per block there are no false positives.
    expect(matched).toEqual([...expected].filter((number) => number > first));
    expect(matched.length).toBeGreaterThan(20);
  });
});
