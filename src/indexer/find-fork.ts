export interface BlockRef {
  readonly number: number;
  readonly hash: string;
}

export interface LinkedBlock extends BlockRef {
  readonly parentHash: string;
}

export type Fork =
  /** The highest common block of both branches. */
  | { readonly kind: 'found'; readonly at: BlockRef }
  /** Below the given blocks: the parent of the oldest one is needed. */
  | { readonly kind: 'older' }
  /** Below all recent blocks. */
  | { readonly kind: 'too-deep' };

/**
 * Finds the fork between the indexed branch and the canonical one. `ours` are recent indexed blocks, which need not be
 * consecutive; `canonical` are blocks of the other branch, newest first, each the parent of the one before.
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
