import { settleAll } from '../async/batches.ts';
import { isoFromSeconds, serialiseFollower } from '../contract/serialise.ts';
import type { Edge } from '../graph/fold-record.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { EdgeChange } from './graph-change.ts';
import type { RegisterRows } from './register-rows.ts';
import type { Edges } from './reverse-edges.ts';

export interface FollowerRows {
  readonly followers: Row<'followers'>[];
  readonly tags: Row<'follower_tags'>[];
}

/**
 * Rewrites the rows of the changed edges, and of those in the other direction: they tell the target's own relation.
 * Tells by how many the rows have grown.
 */
export async function writeFollowerRows(
  tx: Transaction,
  changes: Iterable<EdgeChange>,
  edges: Edges,
  { accounts }: RegisterRows,
): Promise<number> {
  const gone: FollowerRows = { followers: [], tags: [] };
  const come: FollowerRows = { followers: [], tags: [] };
  const rewrite = (source: string, target: string) => {
    const { active_list, popularity } = accounts.after(source);
    const relation = edges.after(target, source)?.relation ?? null;
    const details = { list: active_list ?? '', popularity, relation };
    addFollowerRows(gone, source, target, edges.before(source, target), details);
    addFollowerRows(come, source, target, edges.after(source, target), details);
  };
  const pairs = new Set<string>();
  for (const { source, target, before, after } of changes) {
    if (!pairs.has(source + target)) rewrite(source, target);
    pairs.add(source + target);
    if (before?.relation === after?.relation || pairs.has(target + source)) continue;
    rewrite(target, source);
    pairs.add(target + source);
  }
  // Deleting before writing lets an edge change its time, which is part of its key.
  await settleAll([
    tx.remove('followers', gone.followers),
    tx.remove('follower_tags', gone.tags),
    tx.upsert('followers', come.followers),
    tx.upsert('follower_tags', come.tags),
  ]);
  return come.followers.length - gone.followers.length;
}

interface Details {
  readonly list: string;
  readonly popularity: number;
  /** What the target thinks of the follower. */
  readonly relation: Edge['relation'] | null;
}

export function addFollowerRows(
  rows: FollowerRows,
  address: string,
  target: string,
  edge: Edge | null,
  details: Details,
): void {
  if (edge?.relation !== 'follow') return;
  const { list, popularity, relation } = details;
  const entry = serialiseFollower({
    svc_list_nft_token_id: list,
    address,
    tags: [...edge.tags],
    is_following: relation === 'follow',
    is_blocked: relation === 'block',
    is_muted: relation === 'mute',
    updated_at: isoFromSeconds(edge.time),
  });
  const hidden = relation === 'block' || relation === 'mute' ? 1 : 0;
  const { time } = edge;
  rows.followers.push({ target, time, address, popularity, hidden, entry });
  for (const tag of edge.tags) rows.tags.push({ target, tag, time, address, popularity, hidden });
}
