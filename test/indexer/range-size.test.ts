import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRangeSize, type RangeSize } from '../../src/indexer/range-size.ts';
import { RemoteError, type RemoteFault } from '../../src/remote/remote-error.ts';

const FROM = 0x1_33e_c20;
const hex = (value: number) => `0x${value.toString(16)}`;

const failed = (fault: RemoteFault) => new RemoteError('node.example', 'eth_getLogs', fault);
const refused = (message: string, code = -32_000) => failed({ kind: 'refused', code, message });

/** Reports a rejected range of this many blocks. */
function refuse(size: RangeSize, blocks: number, error: RemoteError): void {
  size.refused(FROM, FROM + blocks - 1, error);
}

/** Reports this many fast, small responses. Returns the sizes that were requested. */
function answer(size: RangeSize, times: number): number[] {
  return Array.from({ length: times }, () => {
    const blocks = size.current();
    size.answered(blocks, 10, 1);
    return blocks;
  });
}

/** A size that has grown to 20,000 blocks. */
function grown(): RangeSize {
  const size = createRangeSize();
  answer(size, 1);
  expect(size.current()).toBe(20_000);
  return size;
}

describe('RangeSize after a successful response', () => {
  it('doubles while responses are fast, up to a maximum', () => {
    const sizes = answer(createRangeSize(), 7);
    expect(sizes).toEqual([10, 20, 40, 80, 160, 200, 200].map((thousands) => thousands * 1000));
  });

  it.each([
    ['slow', 2_001, 1],
    ['large', 10, 5_001],
  ])('does not grow after a %s response', (_, ms, logs) => {
    const size = createRangeSize();
    size.answered(10_000, ms, logs);
    expect(size.current()).toBe(10_000);
  });

  it('does not grow after a range that was shorter than the current size', () => {
    const size = createRangeSize();
    size.answered(9_999, 1, 0);
    expect(size.current()).toBe(10_000);
  });

  it('grows once for ranges that were requested together', () => {
    const size = createRangeSize();
    for (let i = 0; i < 4; i++) size.answered(10_000, 1, 0);
    expect(size.current()).toBe(20_000);
  });
});

/** Errors of providers for a range of 20,000 blocks, and the limit that they mean. */
const NAMED: [provider: string, text: string, code: number, blocks: number][] = [
  ['Cloudflare', `Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800`, -32_047, 800],
  ['Coinbase', 'please limit the query to at most 1000 blocks', -32_005, 1_000],
  ['Avalanche', 'requested too many blocks from 1 to 20000, maximum is set to 2048', -32_000, 2_048],
  // These mean the distance between the first block and the last.
  ['QuickNode', 'eth_getLogs is limited to a 10,000 range', -32_614, 10_001],
  ['BlockPI', 'eth_getLogs is limited to 1024 block range. Please check the parameter requirements', -32_602, 1_025],
  ['thirdweb', 'Maximum allowed number of requested blocks is 2000', -32_602, 2_001],
  ['PublicNode', 'exceed maximum block range: 5000', -32_701, 5_001],
  ['Ankr', 'block range is too wide', -32_600, 3_001],
  ['Tron', 'exceed max block range: 5000', -32_602, 5_000],
  ['Merkle', 'eth_getLogs range is too large, max is 1k blocks', -32_000, 1_001],
  ['Chainstack', 'Block range limit exceeded. See more details at https://docs.chainstack.com', -32_602, 10_001],
  [
    'Alchemy',
    `You can make eth_getLogs requests with up to a 500 block range. Based on your parameters, this block range should work: [${hex(FROM)}, ${hex(FROM + 499)}]`,
    -32_600,
    500,
  ],
];

/** Errors of providers without a block limit: the range is halved. */
const UNNAMED: [provider: string, text: string, code: number][] = [
  ['Base', 'no backend is currently healthy to serve traffic', -32_011],
  ['Optimism', 'Block range is too large', -32_020],
  ['LlamaRPC', 'query exceeds max results 20000, retry with the range 20162592-20162690', -32_602],
  ['Arbitrum', 'logs matched by query exceeds limit of 10000', -32_000],
  ['Polygon zkEVM', 'query returned more than 10000 results', -32_005],
  ['dRPC', 'ranges over 10000 blocks are not supported on freetier', 35],
  ['Infura, with an undocumented message', 'range 20000 exceeds limit of 10000', -32_602],
  ['a node with an unknown error', 'the quick brown fox', -32_603],
  ['a node with an empty message', '', 0],
];

/** Errors about the size of the response: the suggested range is valid for these blocks only. */
const ABOUT_RESULTS: [provider: string, text: string, code: number][] = [
  [
    'Infura',
    `query returned more than 10000 results. Try with this block range [${hex(FROM)}, ${hex(FROM + 135)}].`,
    -32_005,
  ],
  [
    'Alchemy',
    `Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [${hex(FROM)}, ${hex(FROM + 135)}]`,
    -32_602,
  ],
];

describe('RangeSize after an error that names a limit', () => {
  it.each(NAMED)('respects the limit of %s', (_, text, code, blocks) => {
    const size = grown();
    refuse(size, 20_000, refused(text, code));
    expect(size.current()).toBe(blocks);
    expect(Math.max(...answer(size, 20))).toBe(blocks);
  });

  it('keeps the lower limit when an earlier request is rejected with a higher one', () => {
    const size = grown();
    refuse(size, 20_000, refused('please limit the query to at most 1000 blocks'));
    refuse(size, 20_000, refused('please limit the query to at most 3000 blocks'));
    expect(Math.max(...answer(size, 20))).toBe(1_000);
  });

  it('lowers the limit when a range of that size is rejected too', () => {
    const size = grown();
    const text = 'exceed maximum block range: 5000';
    refuse(size, 20_000, refused(text));
    expect(size.current()).toBe(5_001);
    refuse(size, 5_001, refused(text));
    expect(answer(size, 2)).toEqual([5_000, 5_000]);
  });
});

describe('RangeSize after an error that names no limit', () => {
  it.each(UNNAMED)('returns to the last good size, and comes closer only after many responses: %s', (_, text, code) => {
    const size = grown();
    refuse(size, 20_000, refused(text, code));
    expect(answer(size, 50)).toEqual(Array.from({ length: 50 }, () => 10_000));
    expect(answer(size, 4)).toEqual([15_000, 15_000, 15_000, 15_000]);
    expect(size.current()).toBe(17_500);
  });

  it('waits twice as long after each size that is rejected on the way', () => {
    const size = grown();
    refuse(size, 20_000, refused('no'));
    answer(size, 50);
    for (let i = 0; i < 4; i++) refuse(size, 15_000, refused('no'));
    expect(answer(size, 100)).toEqual(Array.from({ length: 100 }, () => 10_000));
    expect(size.current()).toBe(12_500);
  });

  it('stays below the smallest rejected range', () => {
    const size = grown();
    refuse(size, 20_000, refused('no'));
    refuse(size, 1_000, refused('no'));
    expect(size.current()).toBe(500);
    refuse(size, 500, refused('no'));
    expect(answer(size, 3)).toEqual([250, 250, 250]);
  });

  it.each([
    'Max range: 0',
    'please limit the query to at most 0 blocks',
    'requested too many blocks from 1 to 20000, maximum is set to 0',
    'exceed max block range: 0',
    'Try with this block range [0x64, 0x0].',
    `this block range should work: [${hex(FROM)}, ${hex(FROM - 1)}]`,
  ])('halves the range when the limit in the error is invalid: %s', (text) => {
    const size = grown();
    refuse(size, 20_000, refused(text));
    expect(size.current()).toBe(10_000);
  });

  it.each<RemoteFault>([
    { kind: 'timeout' },
    { kind: 'http', status: 413, retryAfterMs: null },
    { kind: 'unreachable', message: 'ECONNRESET' },
    { kind: 'malformed', message: '17 characters that are not JSON' },
  ])('halves the range after a transport fault: $kind', (fault) => {
    const size = grown();
    refuse(size, 20_000, failed(fault));
    expect(size.current()).toBe(10_000);
  });

  it('halves the range that was rejected, not the current one', () => {
    const size = grown();
    refuse(size, 4_000, refused('the quick brown fox'));
    expect(size.current()).toBe(2_000);
    refuse(size, 20_000, refused('the quick brown fox'));
    expect(size.current()).toBe(2_000);
  });
});

describe('RangeSize after an error about the size of the response', () => {
  it.each(ABOUT_RESULTS)('takes the suggested range once, and not as a limit: %s', (_, text, code) => {
    const size = grown();
    refuse(size, 20_000, refused(text, code));
    expect(size.current()).toBe(136);
    answer(size, 12);
    expect(size.current()).toBe(200_000);
  });
});

describe('RangeSize of a chain that was read before', () => {
  it('starts with the size that the earlier process ended with, and comes closer to its double later', () => {
    const size = createRangeSize(500);
    expect(answer(size, 50)).toEqual(Array.from({ length: 50 }, () => 500));
    expect(size.current()).toBe(750);
  });
});

describe('RangeSize after any errors', () => {
  it('shrinks to one block and not below', () => {
    const size = createRangeSize();
    for (let i = 0; i < 30; i++) refuse(size, size.current(), refused('the quick brown fox'));
    expect(size.current()).toBe(1);
    refuse(size, 1, refused('please limit the query to at most 1000 blocks'));
    expect(size.current()).toBe(1);
  });

  it('is a positive integer, and after an error smaller than the rejected range', () => {
    const texts = [...NAMED, ...UNNAMED, ...ABOUT_RESULTS].map(([, text, code]) => refused(text, code));
    const step = fc.oneof(
      fc.record({ ms: fc.nat(4_000), logs: fc.nat(10_000) }),
      fc.record({ error: fc.constantFrom(...texts) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const size = createRangeSize();
        for (const next of steps) {
          const blocks = size.current();
          if ('error' in next) refuse(size, blocks, next.error);
          else size.answered(blocks, next.ms, next.logs);
          expect(Number.isInteger(size.current())).toBe(true);
          expect(size.current()).toBeGreaterThanOrEqual(1);
          expect(size.current()).toBeLessThanOrEqual(200_000);
          if ('error' in next && blocks > 1) expect(size.current()).toBeLessThan(blocks);
        }
      }),
    );
  });
});
