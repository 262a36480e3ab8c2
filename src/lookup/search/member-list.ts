import type { TimeSlices } from '../../async/time-slices.ts';
import { compareEntries, type Entry, Leaf } from './leaf.ts';

/** Rewriting a leaf for a change takes 0.2 ms, and searching a leaf 0.3 µs more than its bytes. */
export const LEAF_SIZE = 512;
/** Smaller ones are joined with the next, and larger ones are split. */
const [MIN_SIZE, MAX_SIZE] = [LEAF_SIZE / 4, LEAF_SIZE * 2];

interface Change {
  readonly gone: Set<number>;
  readonly added: Entry[];
}

/** The members of the leaderboard in order, in leaves: a change rewrites one or two of them. */
export class MemberList {
  #leaves: readonly Leaf[] = [];
  /** The leaf of each account, by its id; 0 for none. */
  #idOfLeaf = new Int32Array(1024);
  readonly #byId: (Leaf | undefined)[] = [undefined];
  readonly #freeIds: number[] = [];

  /** With members in order. */
  constructor(leaves: readonly Leaf[]) {
    this.#replace(leaves);
  }

  /** At least one. A search reads this array once: a change replaces it. */
  get leaves(): readonly Leaf[] {
    return this.#leaves;
  }

  leafOf(account: number): Leaf | undefined {
    return this.#byId[this.#idOfLeaf[account] ?? 0];
  }

  /** Replaces the entries of accounts; null for an account that is no member. Nothing else may change them meanwhile. */
  async apply(changes: ReadonlyMap<number, Entry | null>, slices: TimeSlices): Promise<void> {
    const changed = new Map<Leaf, Change>();
    const changeOf = (leaf: Leaf): Change => {
      const known = changed.get(leaf) ?? { gone: new Set(), added: [] };
      changed.set(leaf, known);
      return known;
    };
    for (const [account, entry] of changes) {
      const leaf = this.leafOf(account);
      if (leaf !== undefined) changeOf(leaf).gone.add(account);
      if (entry !== null) changeOf(this.#leafFor(entry)).added.push(entry);
    }
    const next: Leaf[] = [];
    let small: Entry[] = [];
    for (const leaf of this.#leaves) {
      const change = changed.get(leaf);
      if (change === undefined && small.length === 0) {
        next.push(leaf);
        continue;
      }
      const entries = [...small, ...entriesOf(leaf, change)];
      const isSmall = entries.length < MIN_SIZE;
      small = isSmall ? entries : [];
      if (!isSmall) next.push(...leavesOf(entries));
      if (slices.isOver()) await slices.next();
    }
    if (small.length > 0) next.push(new Leaf(small));
    this.#replace(next);
  }

  /** The last leaf whose first entry is not after this one. */
  #leafFor(entry: Entry): Leaf {
    let [low, high] = [0, this.#leaves.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      const leaf = this.#leaves[middle] as Leaf;
      if (compareEntries(leaf.entry(0), entry) <= 0) low = middle;
      else high = middle - 1;
    }
    return this.#leaves[low] as Leaf;
  }

  #replace(leaves: readonly Leaf[]): void {
    const next = leaves.length > 0 ? leaves : [new Leaf([])];
    const kept = new Set(next);
    for (const leaf of this.#leaves) {
      if (kept.has(leaf) || leaf.id === 0) continue;
      for (const account of leaf.accounts) this.#idOfLeaf[account] = 0;
      this.#byId[leaf.id] = undefined;
      this.#freeIds.push(leaf.id);
    }
    for (const [position, leaf] of next.entries()) {
      leaf.position = position;
      if (leaf.id === 0) this.#add(leaf);
    }
    this.#leaves = next;
  }

  #add(leaf: Leaf): void {
    leaf.id = this.#freeIds.pop() ?? this.#byId.length;
    this.#byId[leaf.id] = leaf;
    for (const account of leaf.accounts) {
      if (account >= this.#idOfLeaf.length) {
        const grown = new Int32Array(2 * account);
        grown.set(this.#idOfLeaf);
        this.#idOfLeaf = grown;
      }
      this.#idOfLeaf[account] = leaf.id;
    }
  }
}

function entriesOf(leaf: Leaf, { gone, added }: Change = { gone: new Set(), added: [] }): Entry[] {
  const kept = leaf.entriesWithout(gone);
  return added.length === 0 ? kept : [...kept, ...added].sort(compareEntries);
}

function leavesOf(entries: readonly Entry[]): Leaf[] {
  if (entries.length <= MAX_SIZE) return [new Leaf(entries)];
  const leaves = [];
  for (let at = 0; at < entries.length; at += LEAF_SIZE) leaves.push(new Leaf(entries.slice(at, at + LEAF_SIZE)));
  return leaves;
}
