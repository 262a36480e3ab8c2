import type { Reader } from '../store/store.ts';
import type { UndoFacts } from './entry.ts';
import { type ChainPosition, hashPrefix } from './position.ts';
import { readBlocks, readHistory } from './read-logs.ts';

/** Where a stream goes back to whose position is on a fork that is gone. */
export interface Undo {
  readonly facts: UndoFacts;
  /** Undefined if no log of the chain is left. */
  readonly place: ChainPosition | undefined;
  /** Whether logs were added, and not removed: then final events are void as well, because they are sent again. */
  readonly isHistory: boolean;
}

/** Blocks that are compared to find the fork. */
export const MAX_KNOWN_BLOCKS = 1_000;

/**
 * The highest block that is still stored of those which were `known` to the stream, else of the blocks that were final when
 * the position was made. If that one is not stored either, which no reorg does, nothing of the chain is valid. If contracts
 * were added since, it is a block before their first logs.
 */
export async function findUndo(
  reader: Reader,
  chain: number,
  lost: ChainPosition,
  known: readonly ChainPosition[] = [],
): Promise<Undo> {
  const undo = (block: number, hash: string, place?: ChainPosition, isHistory = false): Undo => ({
    facts: { type: 'undo', chain_id: chain, block, block_hash: hash },
    place,
    isHistory,
  });
  const { history, start } = await readHistory(reader, chain);
  const isSameHistory = history === lost.history;
  if (known[0] !== undefined && isSameHistory) {
    const range = { from: known[0].block, to: lost.block, limit: MAX_KNOWN_BLOCKS };
    const stored = new Map((await readBlocks(reader, chain, range)).map((block) => [block.number, block]));
    for (const place of known.toReversed()) {
      const { hash } = stored.get(place.block) ?? {};
      if (hash !== undefined && hashPrefix(hash) === place.hash) return undo(place.block, hash, place);
    }
  }
  const final = lost.final < lost.block ? lost.final : -1;
  const to = isSameHistory ? final : Math.min(start - 1, lost.final, lost.block);
  const [last] = await readBlocks(reader, chain, { from: 0, to, limit: 1 });
  if (last === undefined) return undo(Math.max(0, to), '', undefined, !isSameHistory);
  const { number, hash, index } = last;
  return undo(
    number,
    hash,
    { block: number, index, hash: hashPrefix(hash), final: lost.final, history },
    !isSameHistory,
  );
}
