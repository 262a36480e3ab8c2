import type { RelationshipsBody } from '../../contract/lookup-schemas.ts';
import type { Reader } from '../../store/store.ts';
import type { EdgeKey, Page, Paged } from '../page.ts';
import type { AccountRef } from '../refs/account-ref.ts';
import { readFollowers } from './followers.ts';
import { readFollowing } from './following.ts';

export interface RelationshipsPage extends Page {
  /** Normalised. */
  readonly tag: string;
  readonly direction: RelationshipsBody['direction'];
  readonly cursor: EdgeKey | null;
}

/** The accounts with an edge to the account that has a tag, or those of its own edges that have it. */
export async function readRelationships(
  reader: Reader,
  ref: AccountRef,
  { tag, direction, ...place }: RelationshipsPage,
): Promise<Paged<RelationshipsBody>> {
  const page = { ...place, tags: [tag], sort: 'latest', edges: 'all', withEns: false } as const;
  const { body, next } = await (direction === 'incoming' ? readFollowers : readFollowing)(reader, ref, page);
  const entries = 'followers' in body ? body.followers : body.following;
  return { body: { direction, tag, relationships: entries.map(({ address, tags }) => ({ address, tags })) }, next };
}
