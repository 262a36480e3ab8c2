import type { Store } from '../../src/store/store.ts';
import {
  accountMetadata,
  listMetadata,
  listOp,
  locationBytes,
  opBytes,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';

export const ANN = '0x00000000000000000000000000000000000000a1';
export const BOB = '0x00000000000000000000000000000000000000b2';
export const CAT = '0x00000000000000000000000000000000000000c3';
export const SLOT = { chainId: 8453, slot: 5n } as const;

/** Ann's primary list. */
export const MINT = [
  transfer(ZERO_ADDRESS, ANN, 7n),
  storageLocation(7n, locationBytes(SLOT)),
  accountMetadata(ANN, 'primary-list', word(7n)),
  listMetadata(SLOT, 'user', ANN),
];

/** Ann follows an account. */
export const followOf = (account: typeof BOB | typeof CAT) => listOp(SLOT, opBytes(1, account));

/** Writes the cursor of Base as an indexer does. */
export async function setCursor(
  store: Store,
  cursor: { readonly number: number; readonly finalized_number: number },
): Promise<void> {
  const head = { hash: '', time: 0, head_number: cursor.number, head_time: 0, checked_at: 0 };
  await store.transaction((tx) => tx.upsert('cursors', [{ chain_id: 8453, ...head, ...cursor }]));
}
