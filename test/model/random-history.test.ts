import { decodeAbiParameters, type Hex, hexToBytes, size } from 'viem';
import { describe, expect, it } from 'vitest';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { MAINNET, TOPICS, ZERO_ADDRESS } from './mainnet.ts';
import { decodeLog, type NaiveEvent } from './naive-decode.ts';
import { buildGraph, listExists, presentRecords } from './naive-graph.ts';
import { NaiveModel } from './naive-model.ts';
import { cutIntoBatches, HISTORY_END, randomHistory } from './random-history.ts';

const idOf = (log: RawLog) => `${log.chainId}/${Number(log.blockNumber)}/${Number(log.logIndex)}`;

function modelOf(logs: readonly RawLog[]): NaiveModel {
  const model = new NaiveModel();
  for (const log of logs) model.add(log);
  model.rank();
  return model;
}

function answersOf(model: NaiveModel) {
  return model.accounts().map((address) => ({
    followers: model.followers(address, { limit: 1000 }),
    notifications: model.notifications(address, { start: HISTORY_END, interval: 'all', limit: 1000 }),
    ranks: model.ranks(address),
    primaryList: model.primaryList(address),
  }));
}

describe.each([2, 3, 4, 5, 6])('the random history of seed %i', (seed) => {
  const logs = randomHistory(seed);
  const placed = logs.map((log) => ({
    chainId: log.chainId,
    blockNumber: Number(log.blockNumber),
    logIndex: Number(log.logIndex),
    time: Number(log.blockTimestamp),
    event: decodeLog(log, MAINNET),
  }));
  const eventsOf = <Kind extends NaiveEvent['kind']>(kind: Kind) =>
    placed.flatMap(({ event }) => (event.kind === kind ? [event as Extract<NaiveEvent, { kind: Kind }>] : []));
  const graph = buildGraph(placed);

  it('is deterministic and has the given length', () => {
    expect(randomHistory(seed)).toEqual(logs);
    expect(randomHistory(seed, { logs: 77 })).toHaveLength(77);
    expect(randomHistory(seed + 1)).not.toEqual(logs);
  });

  it('keeps the order of each chain, with one hash and one time per block', () => {
    for (const { chainId } of MAINNET.records) {
      const chain = logs.filter((log) => log.chainId === chainId);
      expect(chain.length).toBeGreaterThan(30);
      for (const [i, log] of chain.slice(1).entries()) {
        // Safe: the slice starts one log later, so the index is that of the log before.
        const before = chain[i] as RawLog;
        const sameBlock = log.blockNumber === before.blockNumber;
        const rising = sameBlock ? 'logIndex' : 'blockNumber';
        expect(Number(log[rising])).toBeGreaterThan(Number(before[rising]));
        expect(Number(log.blockTimestamp)).toBeGreaterThanOrEqual(Number(before.blockTimestamp));
        expect(log.blockHash === before.blockHash).toBe(sameBlock);
        if (sameBlock) expect(log.blockTimestamp).toBe(before.blockTimestamp);
      }
    }
  });

  it('covers all windows, including their first second and the one before it', () => {
    const ages = placed.map(({ time }) => HISTORY_END - time);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...ages)).toBeLessThanOrEqual(40 * 24 * 3600);
    for (const hours of [1, 24, 168, 720]) {
      expect(ages).toContain(hours * 3600);
      expect(ages).toContain(hours * 3600 + 1);
    }
  });

  it('has valid and ignored ops of each opcode', () => {
    const opcodes = { valid: new Set<number | undefined>(), ignored: new Set<number | undefined>() };
    for (const log of logs) {
      const fromRecords = MAINNET.records.some((of) => of.chainId === log.chainId && of.address === log.address);
      if (!fromRecords || log.topics[0] !== TOPICS.listOp) continue;
      // Safe: the generator encodes the data of its logs as hex.
      const [op] = decodeAbiParameters([{ type: 'bytes' }], log.data as Hex);
      const opcode = size(op) > 1 ? hexToBytes(op)[1] : undefined;
      opcodes[decodeLog(log, MAINNET).kind === 'op' ? 'valid' : 'ignored'].add(opcode);
    }
    expect([...opcodes.valid].sort()).toEqual([1, 2, 3, 4]);
    expect([...opcodes.ignored]).toEqual(expect.arrayContaining([1, 2, 3, 4]));
  });

  it('has all five events, logs of other contracts, burns and values that clear a register', () => {
    for (const topic of Object.values(TOPICS)) expect(logs.some((log) => log.topics[0] === topic)).toBe(true);
    expect(eventsOf('ignored').length).toBeGreaterThan(10);
    expect(eventsOf('transfer').some(({ to }) => to === ZERO_ADDRESS)).toBe(true);
    expect(eventsOf('location').some(({ slot }) => slot === null)).toBe(true);
    expect(eventsOf('user').some(({ user }) => user === null)).toBe(true);
    expect(eventsOf('primary-list').some(({ tokenId }) => tokenId === null)).toBe(true);
    expect(eventsOf('other-account-key').length).toBeGreaterThan(0);
  });

  it('ends with valid primary lists and every relation', () => {
    expect(graph.primaryLists.size).toBeGreaterThan(0);
    expect(new Set(graph.edges.map(({ relation }) => relation))).toEqual(new Set(['follow', 'block', 'mute']));
    expect(graph.edges.some(({ tags }) => tags.includes('top8'))).toBe(true);
    expect(
      placed.some(({ event }) => event.kind === 'op' && graph.activeAccounts.get(event.slot) === event.record),
    ).toBe(true);
  });

  it('ends with lists that share a slot, are no primary list, and are burned or without a location', () => {
    const { state, primaryLists } = graph;
    const existing = [...state.owners.keys()].filter((id) => listExists(state, id));
    const located = existing.filter((id) => state.locations.get(id));
    const slotOf = (id: bigint) => state.locations.get(id) ?? '';
    expect(new Set(located.map(slotOf)).size).toBeLessThan(located.length);
    expect(located.length).toBeLessThan(state.owners.size);
    const others = located.filter((id) => ![...primaryLists.values()].includes(id));
    expect(others.some((id) => presentRecords(state, slotOf(id)).length > 0)).toBe(true);
  });

  it('ends with records in inactive slots and records of the own account', () => {
    const { state, activeAccounts } = graph;
    const slots = [...state.records.keys()].filter((slot) => presentRecords(state, slot).length > 0);
    expect(slots.some((slot) => !activeAccounts.has(slot))).toBe(true);
    expect([...activeAccounts].some(([slot, user]) => state.records.get(slot)?.get(user)?.present)).toBe(true);
  });

  it('has moved lists, mints after burns, and managers that are not the user', () => {
    const moved = eventsOf('location').map(({ tokenId, slot }) => `${tokenId} ${slot}`);
    expect(new Set(moved).size).toBeGreaterThan(new Set(eventsOf('location').map(({ tokenId }) => tokenId)).size);
    const burned = new Set<bigint>();
    const mintedAgain = eventsOf('transfer').filter(({ tokenId, to }) => {
      if (to === ZERO_ADDRESS) burned.add(tokenId);
      return to !== ZERO_ADDRESS && burned.has(tokenId);
    });
    expect(mintedAgain.length).toBeGreaterThan(0);
    const { users, managers } = graph.state;
    expect([...managers].some(([slot, manager]) => manager !== null && manager !== users.get(slot))).toBe(true);
  });

  it('ends with followers of the same time', () => {
    const moments = graph.edges.filter((edge) => edge.relation === 'follow').map((edge) => `${edge.to} ${edge.time}`);
    expect(new Set(moments).size).toBeLessThan(moments.length);
  });

  it('is cut into batches that keep the order of each chain and repeat only known logs', () => {
    const batches = cutIntoBatches(seed, logs);
    const seen = new Set<string>();
    const firstTimes = batches.flat().filter((log) => !seen.has(idOf(log)) && seen.add(idOf(log)));
    for (const { chainId } of MAINNET.records) {
      const ofChain = (log: RawLog) => log.chainId === chainId;
      expect(firstTimes.filter(ofChain)).toEqual(logs.filter(ofChain));
    }
    expect(firstTimes).toHaveLength(logs.length);
    expect(batches.flat().length).toBeGreaterThan(logs.length);
    expect(answersOf(modelOf(batches.flat()))).toEqual(answersOf(modelOf(logs)));
  });
});
