import { gramsOf } from '../graph/search-grams.ts';
import type { PlacedGrams, Transaction } from '../store/store.ts';

/** Runs `change`, which changes rows of the leaderboard with these sort keys, and updates the search index. */
export async function changeLeaderboard(
  tx: Transaction,
  places: Iterable<number>,
  change: () => Promise<void>,
): Promise<void> {
  // Ascending: FTS5 starts a new segment whenever a rowid is lower than the last.
  const keys = [...new Set(places)].sort((a, b) => a - b).map((place) => [place]);
  if (keys.length === 0) return;
  const before = await readGrams(tx, keys);
  await change();
  const after = await readGrams(tx, keys);
  await tx.indexGrams(lacking(before, after), lacking(after, before));
  await tx.count({ board_version: 1 });
}

type Grams = ReadonlyMap<number, string>;

async function readGrams(tx: Transaction, keys: readonly unknown[][]): Promise<Grams> {
  const members = await tx.read('leaderboard', ['place'], keys);
  members.sort((a, b) => a.place - b.place || (a.address < b.address ? -1 : 1));
  const grams = new Map<number, string>();
  for (const { place, address, name } of members) {
    const others = grams.get(place);
    const own = gramsOf(address, name);
    grams.set(place, others === undefined ? own : withoutRepeats(`${others} ${own}`));
  }
  return grams;
}

function withoutRepeats(grams: string): string {
  return [...new Set(grams.split(' '))].join(' ');
}

function lacking(some: Grams, others: Grams): PlacedGrams[] {
  return [...some].filter(([place, grams]) => others.get(place) !== grams).map(([place, grams]) => ({ place, grams }));
}
