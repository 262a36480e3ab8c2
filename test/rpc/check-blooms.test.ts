import { describe, expect, it } from 'vitest';
import type { ChainLog } from '../../src/protocol/decode-log.ts';
import type { Hex } from '../../src/protocol/hex.ts';
import { checkBlooms } from '../../src/rpc/check-logs.ts';

const HASH: Hex = `0x${'1'.repeat(64)}`;
const blockWith = (logsBloom: Hex) =>
  new Map([[HASH, { number: 5, hash: HASH, parentHash: HASH, time: 1, logsBloom }]]);
const logs = Array.from({ length: 2_000 }, (_, logIndex): ChainLog => {
  const topic: Hex = `0x${logIndex.toString(16).padStart(64, '0')}`;
  const block = { chainId: 1, blockNumber: 5, blockHash: HASH, blockTime: 1 };
  return { ...block, logIndex, address: `0x${'c'.repeat(40)}`, topics: [topic], data: '0x' };
});

describe('checkBlooms', () => {
  it('lets other work run between the logs of a long answer', async () => {
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    await checkBlooms(logs, blockWith(`0x${'f'.repeat(512)}`));
    isDone = true;
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  it('rejects a log that the filter lacks', async () => {
    await expect(checkBlooms(logs, blockWith(`0x${'0'.repeat(512)}`))).rejects.toThrow('log 0 of block 5');
  });
});
