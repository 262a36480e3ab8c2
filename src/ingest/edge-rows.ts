import { settleAll } from '../async/batches.ts';
import { isoFromSeconds, serialiseFollower } from '../contract/serialise.ts';
import type { Edge } from '../graph/fold-record.ts';
import { RELATION_CODES } from '../graph/relation.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import type { EdgeChange } from './graph-change.ts';
import type { RegisterRows } from './register-rows.ts';
import type { Edges } from './reverse-edges.ts';

export interface EdgeRows {
  readonly edges: Row<'edges'>[];
  readonly tags: Row<'edge_tags'>[];
}

/** What edge rows repeat of an account: its follower count as of the last ranking, and its name in lower case. */
export interface Known {
  readonly popularity: number;
  readonly name: string;
}

/** Reads this of every account whose edge rows the changes may rewrite. */
export async function readKnown(tx: Transaction, changes: Iterable<EdgeChange>): Promise<ReadonlyMap<string, Known>> {
  const accounts = new Set<string>();
  for (const { source, target } of changes) accounts.add(source).add(target);
  const keysOf = (addresses: Iterable<string>) => [...addresses].map((address) => [address]);
  const known = new Map<string, Known>();
  for (const { address, followers, name } of await tx.read('leaderboard', ['address'], keysOf(accounts))) {
    known.set(address, { popularity: followers, name });
    accounts.delete(address);
  }
  for (const { address, name } of await tx.read('profiles', ['address'], keysOf(accounts))) {
    known.set(address, { popularity: 0, name: name.toLowerCase() });
  }
  return known;
}

const UNKNOWN: Known = { popularity: 0, name: '' };

interface Sources {
  readonly edges: Edges;
  readonly registers: RegisterRows;
  readonly known: ReadonlyMap<string, Known>;
}

/**
 * Rewrites the rows of the changed edges, and of their reverse edges, whose entries show the target's own relation.
 * Returns the difference in the number of follows.
 */
export async function writeEdgeRows(
  tx: Transaction,
  changes: Iterable<EdgeChange>,
  { edges, registers: { accounts }, known }: Sources,
): Promise<number> {
  const removed: EdgeRows = { edges: [], tags: [] };
  const added: EdgeRows = { edges: [], tags: [] };
  const rewrite = (source: string, target: string) => {
    const details = {
      list: accounts.after(source).active_list ?? '',
      ...(known.get(source) ?? UNKNOWN),
      relation: edges.after(target, source)?.relation ?? null,
    };
    addEdgeRows(removed, source, target, edges.before(source, target), details);
    addEdgeRows(added, source, target, edges.after(source, target), details);
  };
  const pairs = new Set<string>();
  for (const { source, target, before, after } of changes) {
    if (!pairs.has(source + target)) rewrite(source, target);
    pairs.add(source + target);
    if (before?.relation === after?.relation || pairs.has(target + source)) continue;
    rewrite(target, source);
    pairs.add(target + source);
  }
  // Delete first: the time of an edge may change, and it is part of the key.
  await settleAll([
    tx.remove('edges', removed.edges),
    tx.remove('edge_tags', removed.tags),
    tx.upsert('edges', added.edges),
    tx.upsert('edge_tags', added.tags),
  ]);
  return countFollows(added) - countFollows(removed);
}

interface Details extends Known {
  readonly list: string;
  /** The target's own edge to the account. */
  readonly relation: Edge['relation'] | null;
}

export function addEdgeRows(
  rows: EdgeRows,
  address: string,
  target: string,
  edge: Edge | null,
  details: Details,
): void {
  if (edge === null) return;
  const { list, popularity, name, relation } = details;
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
  const code = RELATION_CODES[edge.relation];
  rows.edges.push({ target, time, address, popularity, hidden, relation: code, name, entry });
  for (const tag of edge.tags) rows.tags.push({ target, tag, time, address, popularity, hidden, relation: code });
}

export function countFollows({ edges }: EdgeRows): number {
  return edges.filter(({ relation }) => relation === RELATION_CODES.follow).length;
}
