import { crc32 } from 'node:zlib';
import type { Contract } from '../protocol/deployments.ts';
import type { AddedContract } from '../store/incomplete-contracts.ts';
import type { Transaction } from '../store/store.ts';
import { CursorMovedError } from './cursor-moved-error.ts';

/** A contract of `indexed_contracts`. */
export const describeContract = ({ role, address }: Pick<Contract, 'role' | 'address'>) => `${role} ${address}`;
const isNamed = (contracts: string, address: string) => contracts.split(', ').includes(`list-records ${address}`);
const isComplete = ({ number, target }: AddedContract) => number >= target;

/** The first claim of a chain reads the history of all contracts. */
export async function addFirst(tx: Transaction, chainId: number, contracts: readonly Contract[]): Promise<number> {
  await tx.execute((db) => db.deleteFrom('added_contracts').where('chain_id', '=', chainId));
  const added = contracts.flatMap(({ address, startBlock: start_block }): AddedContract[] =>
    start_block === undefined
      ? []
      : [{ chain_id: chainId, address, start_block, number: start_block - 1, target: start_block - 1 }],
  );
  await tx.insert('added_contracts', added);
  return historyOf(added);
}

export interface Claimed {
  readonly chainId: number;
  /** The last block that the chain was indexed up to with the contracts that it had. */
  readonly cursor: number;
  /** With a start block for each. */
  readonly added: readonly (Contract & { readonly startBlock: number })[];
  readonly removed: readonly string[];
}

/**
 * Contracts that a chain has from its next block on, or no longer. One that was added before goes on where it was left.
 * False if one is to be removed that was not added later.
 */
export async function changeContracts(tx: Transaction, { chainId, cursor, added, removed }: Claimed): Promise<boolean> {
  const known = await tx.readBy('added_contracts', 'chain_id', [chainId]);
  const left = known.filter((row) => removed.includes(row.address));
  if (left.length < removed.length) return false;
  await tx.upsert('added_contracts', [
    ...left.map((row) => ({ ...row, number: isComplete(row) ? cursor : row.number, target: cursor })),
    ...added.map(({ address, startBlock }) => {
      const earlier = known.find((row) => row.address === address && row.start_block <= startBlock);
      const number = Math.min(earlier?.number ?? startBlock - 1, cursor);
      return {
        ...{ chain_id: chainId, address, number, target: cursor },
        start_block: earlier?.start_block ?? startBlock,
      };
    }),
  ]);
  return true;
}

/** Moves the cursor of an added contract from `after` to a block. */
export async function advanceAdded(tx: Transaction, chainId: number, address: string, after: number, number: number) {
  const [stored] = await tx.read('added_contracts', ['chain_id', 'address'], [[chainId, address]]);
  if (stored?.number !== after)
    throw new CursorMovedError(chainId, `block ${after} for ${address}`, stored && { number: stored.number, hash: '' });
  await tx.upsert('added_contracts', [{ ...stored, number }]);
  if (isComplete({ ...stored, number })) await writeHistory(tx, chainId);
}

/** The logs of a chain above a block were removed: its cursor reads them again, with all contracts. */
export async function rewindAdded(tx: Transaction, chainId: number, block: number): Promise<void> {
  const rows = await tx.readBy('added_contracts', 'chain_id', [chainId]);
  const above = rows.filter(({ number, target }) => number > block || target > block);
  if (above.length === 0) return;
  const clamp = (number: number) => Math.min(number, block);
  await tx.upsert(
    'added_contracts',
    above.map((row) => ({ ...row, number: clamp(row.number), target: clamp(row.target) })),
  );
  await writeHistory(tx, chainId);
}

/** Stores which added contracts are complete. Event streams compare it with that of their position. */
export async function writeHistory(tx: Transaction, chainId: number): Promise<void> {
  const [indexed] = await tx.readBy('indexed_contracts', 'chain_id', [chainId]);
  if (indexed === undefined) return;
  const rows = await tx.readBy('added_contracts', 'chain_id', [chainId]);
  const history = historyOf(rows.filter((row) => isComplete(row) && isNamed(indexed.contracts, row.address)));
  if (history !== indexed.history) await tx.upsert('indexed_contracts', [{ ...indexed, history }]);
}

function historyOf(contracts: readonly Pick<AddedContract, 'address' | 'start_block'>[]): number {
  const described = contracts.map(({ address, start_block }) => `${address}@${start_block}`).sort();
  return described.length === 0 ? 0 : crc32(described.join());
}
