import { gramsOf } from '../graph/search-grams.ts';
import type { IndexedMember } from '../store/search-index.ts';
import type { Transaction } from '../store/store.ts';

/** A member of the leaderboard, with what it can be searched by. */
export interface SearchableMember extends IndexedMember {
  /** In lower case. */
  readonly name: string;
}

/** Pages of the search index that each write merges: 10 ms of work. FTS5 itself would merge thousands of pages now and then. */
const MERGED_PAGES = 100;

/** Updates the search index after a change of the leaderboard or of names. */
export async function indexMembers(
  tx: Transaction,
  removed: readonly IndexedMember[],
  added: readonly SearchableMember[],
): Promise<void> {
  if (removed.length + added.length === 0) return;
  await tx.indexGrams(
    removed,
    added
      .toSorted(inBoardOrder)
      .map(({ name, ...member }) => ({ ...member, grams: gramsOf(member.address_key, name) })),
  );
  await tx.mergeGrams(MERGED_PAGES, false);
}

/** FTS5 starts a new segment whenever a row id is lower than the last. */
function inBoardOrder(a: SearchableMember, b: SearchableMember): number {
  return b.followers - a.followers || (a.address_key < b.address_key ? -1 : 1);
}
