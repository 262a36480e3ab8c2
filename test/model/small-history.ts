import { type Hex, stringToHex } from 'viem';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  listOp,
  locationBytes,
  opBytes,
  placeLog,
  type SlotRef,
  storageLocation,
  transfer,
  word,
} from './encode-log.ts';
import { ZERO_ADDRESS } from './mainnet.ts';
import { NaiveModel } from './naive-model.ts';

const account = (digit: string): Hex => `0x${digit.repeat(40)}`;
export const [ANN, BOB, CAT, DAN] = [account('a'), account('b'), account('c'), account('d')] as const;
export const slotOf = (slot: bigint, chainId: SlotRef['chainId'] = 8453): SlotRef => ({ chainId, slot });
export const START = 1_760_000_000;

/** One log per block and ten seconds between them: the n-th log, from 0, is of START + 10 n. */
export function logsOf(bodies: readonly LogBody[]): RawLog[] {
  return bodies.map((body, i) =>
    placeLog(body, { blockNumber: 1000 + i, blockHash: word(BigInt(i)), time: START + 10 * i, logIndex: 0 }),
  );
}

export function modelOf(...bodies: readonly LogBody[]): NaiveModel {
  const model = new NaiveModel();
  for (const log of logsOf(bodies)) model.add(log);
  model.rank();
  return model;
}

/** Four logs that make the list the valid primary list of the account. */
export function ownList(owner: Hex, tokenId: bigint, slot: SlotRef): LogBody[] {
  return [
    transfer(ZERO_ADDRESS, owner, tokenId),
    storageLocation(tokenId, locationBytes(slot)),
    listMetadata(slot, 'user', owner),
    accountMetadata(owner, 'primary-list', word(tokenId)),
  ];
}

export const ANNS = slotOf(1n);
export const BOBS = slotOf(2n, 10);
export const CATS = slotOf(3n, 1);
export const annsList = ownList(ANN, 0n, ANNS);
export const bobsList = ownList(BOB, 2n, BOBS);
export const catsList = ownList(CAT, 3n, CATS);
export const follow = (slot: SlotRef, record: Hex) => listOp(slot, opBytes(1, record));
export const unfollow = (slot: SlotRef, record: Hex) => listOp(slot, opBytes(2, record));
export const tag = (slot: SlotRef, record: Hex, text: string) => listOp(slot, opBytes(3, record, stringToHex(text)));
export const untag = (slot: SlotRef, record: Hex, text: string) => listOp(slot, opBytes(4, record, stringToHex(text)));
