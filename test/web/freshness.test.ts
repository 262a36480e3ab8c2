import { describe, expect, it } from 'vitest';
import type { Schemas } from '../../packages/client/src/client.ts';
import { freshnessOf } from '../../web/src/network/freshness.ts';

type Status = Schemas['Status'];

const EMPTY: Status = {
  engine: 'sqlite',
  isDemo: false,
  isLoading: true,
  loading: null,
  dataVersion: 0,
  counts: { logs: 0, unfoldedLogs: 0, ignoredOps: 0, lists: 0, accounts: 0, follows: 0, ranked: 0 },
  ranksMadeAt: null,
  chains: [],
  chainsNotIndexed: [],
  faults: [],
  databaseFault: null,
  sources: { names: 'none', badges: 'none' },
};
const indexed = { number: 5, hash: '0x01', timestamp: 5 };
const BEHIND = { chainId: 8453, indexed, head: 100, finalized: 90, lagBlocks: 95, reading: [], lagSeconds: 500 };
const CURRENT = { ...BEHIND, chainId: 10, head: 5, finalized: 4, lagBlocks: 0, reading: [], lagSeconds: 2 };
const FAULT = { chainId: 8453, code: 'E_WRONG_CHAIN', message: 'another chain', since: '2026-01-01T00:00:00.000Z' };

describe('the note on how current the data is', () => {
  it.each<[string, Partial<Status>, ReturnType<typeof freshnessOf>]>([
    ['an empty database', {}, { level: 'warm', text: 'no data yet' }],
    ['a load', { loading: { percent: null, secondsLeft: null } }, { level: 'warm', text: 'loading' }],
    ['a load with chains', { loading: { percent: 34, secondsLeft: null } }, { level: 'warm', text: 'loading, 34 %' }],
    [
      'a load with a stable rate',
      { loading: { percent: 34, secondsLeft: 10_000 } },
      { level: 'warm', text: 'loading, 34 %, about 3 hours left' },
    ],
    ['a first load with a fault', { chains: [BEHIND], faults: [FAULT] }, { level: 'bad', text: 'Base not updated' }],
    ['a demo', { isLoading: false, isDemo: true }, { level: 'warm', text: 'demo data, not updated' }],
    ['imported logs', { isLoading: false }, { level: 'warm', text: 'not updated' }],
    [
      'a chain that is current',
      { isLoading: false, chains: [CURRENT] },
      { level: 'good', text: 'OP Mainnet 2 s behind' },
    ],
    [
      'a chain that is behind, beside another',
      { isLoading: false, chains: [CURRENT, BEHIND] },
      { level: 'warm', text: 'Base 8 min behind' },
    ],
  ])('describes %s', (_, status, expected) => {
    expect(freshnessOf({ ...EMPTY, ...status })).toEqual(expected);
  });
});
