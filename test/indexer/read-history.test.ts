import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createRangeSize } from '../../src/indexer/range-size.ts';
import { createHistoryReader } from '../../src/indexer/read-history.ts';
import { RemoteError } from '../../src/remote/remote-error.ts';
import type { ChainNode } from '../../src/rpc/chain-node.ts';

const ADDRESS = `0x${'ad'.repeat(20)}`;
const TARGET = 100;
const headerOf = (number: number) => ({ number, hash: '0x', parentHash: '0x', time: number, logsBloom: '0x' }) as const;

describe('the history of a contract', () => {
  it('is read again after a minute if a node has no old logs, which does not stop the chain', async () => {
    const row = { chain_id: 10, address: ADDRESS, start_block: 1, number: 0, target: TARGET };
    const unused = () => Promise.reject(new Error('a history is read in ranges'));
    let isPruned = true;
    let requests = 0;
    const node: ChainNode = {
      ...{ chainId: 10, fetchHeads: unused, fetchBlockByHash: unused, fetchHashes: unused, fetchLogs: unused },
      fetchBlock: async (number) => headerOf(number),
      requireShared: async () => undefined,
      async fetchRange(_from, to) {
        requests += 1;
        if (isPruned)
          throw new RemoteError('node.example', 'eth_getLogs', { kind: 'refused', code: -1, message: 'pruned' });
        return { logs: [], last: headerOf(to) };
      },
    };
    const log: string[] = [];
    let time = 0;
    const readHistory = createHistoryReader({
      chain: {
        chainId: 10,
        readIncomplete: async () => (row.number < row.target ? [{ ...row }] : []),
        async storeHistory({ afterBlock, last }) {
          expect(afterBlock).toBe(row.number);
          row.number = last.number;
        },
      },
      nodeOf: () => node,
      size: createRangeSize(),
      now: () => time,
      sleep: async () => undefined,
      logger: pino({ level: 'warn' }, { write: (line) => log.push(line) }),
    });
    const heads = { head: headerOf(2 * TARGET), finalized: 2 * TARGET };

    expect(await readHistory(heads)).toBe(false);
    expect(log.join('')).toMatch(/pruned.*the history of a contract cannot be read, retrying/);
    const refused = requests;
    time = 59_000;
    expect(await readHistory(heads)).toBe(false);
    expect(requests).toBe(refused);
    isPruned = false;
    time = 60_000;
    while (await readHistory(heads)) expect(row.number).toBeLessThan(TARGET);
    expect(row.number).toBe(TARGET);
    expect(log).toHaveLength(1);
  });
});
