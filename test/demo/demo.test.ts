import { describe, expect, it } from 'vitest';
import type { DemoOptions } from '../../src/demo/accounts.ts';
import { demoLogs } from '../../src/demo/demo-logs.ts';
import type { CellWrite, ChainLog } from '../../src/protocol/decode-log.ts';
import { ZERO_ADDRESS } from '../../src/protocol/hex.ts';
import { decodeStorageLocation } from '../../src/protocol/register-values.ts';
import { actionsOf, entriesOf, writesOf } from './decoded.ts';
import { demoSamples } from './demo-samples.ts';

const options: DemoOptions = { accounts: 1000, seed: 42, now: 1_770_000_000 };
const star = demoSamples(options);
const entries = entriesOf(options);
const writes = writesOf(entries);
const actions = actionsOf(entries);

/** The final tags of each record of an account. */
function recordsOf(account: string): Map<string, Set<string>> {
  const followed = new Set<string>();
  const tags = new Map<string, Set<string>>();
  for (const { actor, op } of actions) {
    if (actor !== account) continue;
    const own = tags.get(op.record) ?? new Set();
    tags.set(op.record, own);
    if (op.opcode === 1) followed.add(op.record);
    if (op.opcode === 2) {
      followed.delete(op.record);
      own.clear();
    }
    if (op.opcode === 3) own.add(op.tag);
    if (op.opcode === 4) own.delete(op.tag);
  }
  return new Map([...followed].map((record) => [record, tags.get(record) ?? new Set()]));
}

describe('demoLogs', () => {
  it('generates the same logs for the same options, and others for another seed', () => {
    const small = { ...options, accounts: 60 };
    expect([...demoLogs(small)]).toEqual([...demoLogs(small)]);
    expect([...demoLogs({ ...small, seed: 43 })]).not.toEqual([...demoLogs(small)]);
  });

  it('generates each chain in order of block number and log index', () => {
    const last = new Map<number, ChainLog>();
    const misplaced = entries.filter(({ log }) => {
      const before = last.get(log.chainId);
      last.set(log.chainId, log);
      if (before === undefined || log.blockNumber > before.blockNumber) return false;
      return log.blockNumber < before.blockNumber || log.logIndex <= before.logIndex;
    });
    expect(misplaced).toEqual([]);
  });

  it('gives each block one hash and one time, and no hash to two blocks', () => {
    const blocks = new Map<string, string>();
    const hashes = new Map<string, string>();
    const torn = entries.filter(({ log }) => {
      const block = `${log.chainId}/${log.blockNumber}`;
      const facts = `${log.blockHash}/${log.blockTime}`;
      const known = blocks.get(block) ?? facts;
      const owner = hashes.get(log.blockHash) ?? block;
      blocks.set(block, facts);
      hashes.set(log.blockHash, block);
      return known !== facts || owner !== block;
    });
    expect(torn).toEqual([]);
  });

  it('stays between 540 days before now and now, and grows over time', () => {
    const times = entries.map(({ log }) => log.blockTime);
    const middle = options.now - 270 * 86_400;
    expect(Math.min(...times)).toBeGreaterThanOrEqual(options.now - 540 * 86_400);
    expect(Math.max(...times)).toBeLessThanOrEqual(options.now - 30);
    expect(times.filter((time) => time > middle).length).toBeGreaterThan(times.length * 0.6);
  });

  it('uses all three chains from their real start blocks on', () => {
    const first = new Map<number, number>();
    for (const { log } of entries) if (!first.has(log.chainId)) first.set(log.chainId, log.blockNumber);
    expect([...first.keys()].sort((a, b) => a - b)).toEqual([1, 10, 8453]);
    expect(first.get(8453)).toBeGreaterThanOrEqual(20_180_000);
    expect(first.get(10)).toBeGreaterThanOrEqual(125_790_000);
    expect(first.get(1)).toBeGreaterThanOrEqual(20_820_000);
  });

  it('generates logs that decode, with a few malformed ops', () => {
    expect(entries.filter(({ decoded }) => decoded.kind === 'ignored')).toEqual([]);
    const ignored = writes.flatMap((write) => write.ignored ?? []);
    expect(new Set(ignored).size).toBeGreaterThan(3);
    expect(ignored.length).toBeLessThan(entries.length / 200);
  });

  it('contains every opcode, tags before follows, junk suffixes and tags that need normalising', () => {
    expect(new Set(actions.map(({ op }) => op.opcode))).toEqual(new Set([1, 2, 3, 4]));
    const payloads = writes.filter((write) => write.part.startsWith('0x')).map((write) => write.payload);
    expect(payloads.some((payload) => payload.startsWith('0x01010101') && payload.length > 50)).toBe(true);
    const tags = payloads.filter((p) => p.startsWith('0x0103')).map((p) => Buffer.from(p.slice(50), 'hex').toString());
    expect(tags).toEqual(expect.arrayContaining(['top8', 'block', 'mute', 'Builders', '  irl  ', '🔥', 'dao\0\0']));
    const seen = new Set<string>();
    const early = actions.filter(({ actor, op }) => {
      const edge = `${actor}/${op.record}`;
      if (op.opcode === 1) seen.add(edge);
      return op.opcode === 3 && !seen.has(edge);
    });
    expect(early.length).toBeGreaterThan(0);
  });

  it('generates about 20 follows per account, a fifth to a third of them mutual', () => {
    const edges = new Set(actions.filter(({ op }) => op.opcode === 1).map(({ actor, op }) => `${actor}/${op.record}`));
    const mutual = [...edges].filter((edge) => edges.has(edge.split('/').reverse().join('/')));
    expect(edges.size / options.accounts).toBeGreaterThan(17);
    expect(edges.size / options.accounts).toBeLessThan(23);
    expect(mutual.length / edges.size).toBeGreaterThan(0.2);
    expect(mutual.length / edges.size).toBeLessThan(0.33);
  });

  it('contains lists that are transferred, burned, moved, secondary and orphaned', () => {
    const seen = new Set<string>();
    const changes = writes.filter(({ subject, part }) => {
      const known = seen.has(`${subject}/${part}`);
      seen.add(`${subject}/${part}`);
      return known;
    });
    const later = (part: CellWrite['part']) => changes.filter((change) => change.part === part);
    expect(later('owner').filter(({ payload }) => payload === ZERO_ADDRESS).length).toBe(2);
    expect(later('owner').some(({ payload }) => payload !== ZERO_ADDRESS)).toBe(true);
    expect(later('location').length).toBeGreaterThan(0);
    expect(later('primary-list').length).toBeGreaterThan(0);
    const users = new Set(writes.filter(({ part }) => part === 'user').map(({ subject }) => subject));
    const homes = writes.filter(({ part }) => part === 'location').map(({ payload }) => decodeStorageLocation(payload));
    expect(homes.some((home) => home !== null && !users.has(home))).toBe(true);
  });

  it('throws for too few accounts', () => {
    expect(() => demoLogs({ ...options, accounts: 10 }).next()).toThrow(RangeError);
  });
});

describe('the first account', () => {
  it('has the most followers, a fifth to a third of a small graph', () => {
    const counts = new Map<string, number>();
    for (const { op } of actions) if (op.opcode === 1) counts.set(op.record, (counts.get(op.record) ?? 0) + 1);
    const [most] = [...counts].sort(([, a], [, b]) => b - a);
    expect(most?.[0]).toBe(star.address);
    expect(most?.[1]).toBeGreaterThan(options.accounts * 0.2);
    expect(most?.[1]).toBeLessThan(options.accounts * 0.33);
  });

  it('owns the list of the sample requests', () => {
    const owner = writes.find(({ subject, part }) => subject === `list/${star.list}` && part === 'owner');
    const primary = writes.filter(({ subject }) => subject === `account/${star.address}`);
    expect(owner?.payload).toBe(star.address);
    expect(primary.map(({ payload }) => BigInt(payload))).toEqual([BigInt(star.list)]);
  });

  it('follows, blocks and mutes some of its followers, and is in the top eight of some', () => {
    const own = recordsOf(star.address);
    const fans = [...new Set(actions.map(({ actor }) => actor))].filter((actor) => recordsOf(actor).has(star.address));
    const tagged = (tag: string) => fans.filter((fan) => own.get(fan)?.has(tag));
    expect(fans.filter((fan) => own.get(fan)?.size === 0).length).toBeGreaterThan(10);
    expect(tagged('block').length).toBeGreaterThan(0);
    expect(tagged('mute').length).toBeGreaterThan(0);
    expect(fans.filter((fan) => recordsOf(fan).get(star.address)?.has('top8')).length).toBeGreaterThan(2);
  });

  it.each([50, 300])('receives all four opcodes in each notification interval, with %i accounts', (accounts) => {
    const small = { ...options, accounts, seed: accounts };
    const { address } = demoSamples(small);
    const received = actionsOf(entriesOf(small)).filter(({ actor, op }) => op.record === address && actor !== address);
    for (const hours of [1, 24, 168, 720]) {
      const recent = received.filter(({ time }) => time >= small.now - hours * 3600);
      expect(new Set(recent.map(({ op }) => op.opcode))).toEqual(new Set([1, 2, 3, 4]));
    }
  });
});
