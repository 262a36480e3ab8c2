import { concatHex, type Hex, slice } from 'viem';
import { describe, expect, it } from 'vitest';
import { decodeLog } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { decodeStorageLocation } from '../../src/protocol/register-values.ts';
import { listOp, locationBytes, opBytes, type RecordsChain, word } from '../model/encode-log.ts';

const CONTRACT: Hex = `0x${'c4'.repeat(20)}`;
const location = (head: Hex, chainId: bigint, slot: bigint) => concatHex([head, word(chainId), CONTRACT, word(slot)]);
const valid = location('0x0101', 10n, 7n);

describe('decodeStorageLocation', () => {
  it('decodes chain, contract and slot', () => {
    expect(decodeStorageLocation(valid)).toBe(`10/${CONTRACT}/${word(7n)}`);
  });

  it.each([0n, 2n ** 53n + 1n, 2n ** 256n - 1n])('accepts any chain id, such as %i', (chainId) => {
    expect(decodeStorageLocation(location('0x0101', chainId, 7n))).toBe(`${chainId}/${CONTRACT}/${word(7n)}`);
  });

  it.each([0n, 2n ** 256n - 1n])('accepts any slot, such as %i', (slot) => {
    expect(decodeStorageLocation(location('0x0101', 10n, slot))).toBe(`10/${CONTRACT}/${word(slot)}`);
  });

  it.each<RecordsChain>([8453, 10, 1])('returns the slot that list ops on chain %i write to', (chainId) => {
    const ref = { chainId, slot: 2n ** 200n + 5n };
    const body = listOp(ref, opBytes(1, CONTRACT));
    const position = { blockNumber: 1, blockHash: word(1n), blockTime: 1, logIndex: 0 };
    const write = decodeLog(createRoleOf(deployments.mainnet), { ...body, ...position });
    expect(write).toMatchObject({ subject: decodeStorageLocation(locationBytes(ref)) });
  });

  it.each<[string, Hex]>([
    ['has no bytes', '0x'],
    ['ends after the type', '0x0101'],
    ['is one byte short', slice(valid, 0, 85)],
    ['is one byte too long', concatHex([valid, '0x00'])],
    ['has version 0', location('0x0001', 10n, 7n)],
    ['has version 2', location('0x0201', 10n, 7n)],
    ['has type 0', location('0x0100', 10n, 7n)],
    ['has type 2', location('0x0102', 10n, 7n)],
  ])('returns null for a location that %s', (_, bytes) => {
    expect(decodeStorageLocation(bytes)).toBeNull();
  });
});
