import { type Hex, numberToHex } from 'viem';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  locationBytes,
  type SlotRef,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';

export const accountOf = (number: number): Hex => numberToHex(0xa0_0000 + number, { size: 20 });
export const slotOf = (number: number): SlotRef => ({ chainId: 8453, slot: BigInt(number) });

/** The list of this number is minted to its account, as its primary list. */
export function mint(number: number): LogBody[] {
  const [account, list, slot] = [accountOf(number), BigInt(number), slotOf(number)];
  return [
    transfer(ZERO_ADDRESS, account, list),
    storageLocation(list, locationBytes(slot)),
    accountMetadata(account, 'primary-list', word(list)),
    listMetadata(slot, 'user', account),
  ];
}
