export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

export interface LinkedBlock extends BlockRef {
  readonly parentHash: string;
}

export type Fork =
  /** The highest block that both branches have. */
  | { readonly kind: 'found'; readonly at: BlockRef }
  /** Not among the blocks given: the parent of the oldest one is needed. */
  | { readonly kind: 'older' }
  /** The branches parted below everything that we remember. */
  | { readonly kind: 'too-deep' };

/**
 * Where the branch that we have indexed and the canonical one part. `ours` are the blocks that we remember, a run of
 * heights; `canonical` are blocks of the other branch, from its newest down, each the parent of the one before.
 */
export function findFork(ours: readonly BlockRef[], canonical: readonly LinkedBlock[]): Fork {
  const hashes = new Map(ours.map((block) => [block.number, block.hash]));
  const oldest = Math.min(...hashes.keys());
  for (const block of canonical) {
    if (hashes.get(block.number) === block.hash)
      return { kind: 'found', at: { number: block.number, hash: block.hash } };
    const parent = { number: block.number - 1, hash: block.parentHash };
    if (hashes.get(parent.number) === parent.hash) return { kind: 'found', at: parent };
    if (parent.number <= oldest) return { kind: 'too-deep' };
  }
  return { kind: 'older' };
}
