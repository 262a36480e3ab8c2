import { concatHex, type Hex, slice } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeLog } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { decodeStorageLocation } from '../../src/protocol/storage-location.ts';
import { listOp, locationBytes, opBytes, type RecordsChain, word } from '../model/encode-log.ts';

const CONTRACT: Hex = `0x${'c4'.repeat(20)}`;
const location = (head: Hex, chainId: bigint, slot: bigint) => concatHex([head, word(chainId), CONTRACT, word(slot)]);
const valid = location('0x0101', 10n, 7n);

describe('a storage location', () => {
  it('names chain, contract and slot', () => {
    expect(decodeStorageLocation(valid)).toBe(`10/${CONTRACT}/${word(7n)}`);
  });

  it.each([0n, 2n ** 53n + 1n, 2n ** 256n - 1n])('may name any chain, such as %i', (chainId) => {
    expect(decodeStorageLocation(location('0x0101', chainId, 7n))).toBe(`${chainId}/${CONTRACT}/${word(7n)}`);
  });

  it.each([0n, 2n ** 256n - 1n])('may name any slot, such as %i', (slot) => {
    expect(decodeStorageLocation(location('0x0101', 10n, slot))).toBe(`10/${CONTRACT}/${word(slot)}`);
  });

  it.each<RecordsChain>([8453, 10, 1])('on chain %i names the slot that the ops of that chain write to', (chainId) => {
    const ref = { chainId, slot: 2n ** 200n + 5n };
    const body = listOp(ref, opBytes(1, CONTRACT));
    const place = { blockNumber: 1, blockHash: word(1n), blockTime: 1, logIndex: 0 };
    const write = decodeLog(createRoleOf(deployments.mainnet), { ...body, ...place });
    expect(write).toMatchObject({ subject: decodeStorageLocation(locationBytes(ref)) });
  });

  it.each<[string, Hex]>([
    ['has no bytes', '0x'],
    ['is nothing but its head', '0x0101'],
    ['lacks one byte', slice(valid, 0, 85)],
    ['has one byte too many', concatHex([valid, '0x00'])],
    ['is of version 0', location('0x0001', 10n, 7n)],
    ['is of version 2', location('0x0201', 10n, 7n)],
    ['is of type 0', location('0x0100', 10n, 7n)],
    ['is of type 2', location('0x0102', 10n, 7n)],
  ])('names nothing when it %s', (_, bytes) => {
    expect(decodeStorageLocation(bytes)).toBeNull();
  });
});
