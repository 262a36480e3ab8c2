import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../src/remote/fetch-answer.ts';

describe('parseJson', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it.each([
    ['empty arrays', '[]'],
    ['empty objects', '{}'],
    ['digits', '1'],
    ['nested arrays', '[[[[]]]]'],
  ])('does not parse megabytes of %s', (_what, value) => {
    const parse = vi.spyOn(JSON, 'parse');
    expect(parseJson(`[${Array(2_000_000).fill(value).join()}]`)).toBeUndefined();
    expect(parse).not.toHaveBeenCalled();
  });

  it('parses the answer of a node with thousands of logs', () => {
    const word = `0x${'ab'.repeat(32)}`;
    const log = {
      ...{ address: word.slice(0, 42), topics: [word, word], data: word, blockNumber: '0x1', blockHash: word },
      ...{ transactionHash: word, transactionIndex: '0x0', logIndex: '0x0', removed: false },
    };
    const answer = { jsonrpc: '2.0', id: 1, result: Array(10_000).fill(log) };
    expect(parseJson(JSON.stringify(answer))).toEqual(answer);
  });

  it('parses a block with thousands of transactions', () => {
    const block = { transactions: Array(50_000).fill(`0x${'ab'.repeat(32)}`) };
    expect(parseJson(JSON.stringify(block))).toEqual(block);
  });
});
