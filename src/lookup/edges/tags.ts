import { sql } from 'kysely';
import type { ListTagsBody, UserTagsBody } from '../../contract/lookup-schemas.ts';
import type { Address } from '../../protocol/hex.ts';
import { statements } from '../../store/statement.ts';
import type { Reader } from '../../store/store.ts';
import {
  ACCOUNT,
  type AccountRef,
  aboutRef,
  type ListRef,
  type RefKind,
  readAbout,
  SLOT,
} from '../refs/account-ref.ts';

interface Tagged {
  readonly address: Address;
  readonly tag: string;
}

const tagsOf = statements((kind: RefKind) =>
  aboutRef<object, Tagged>(
    kind,
    () => sql`select accounts.address, tags.tag from record_tags join accounts on accounts.id = record_tags.account
      join tags on tags.id = record_tags.tag
      where record_tags.slot = ${SLOT} and record_tags.account <> ${ACCOUNT}`,
  ),
);

/** The tags that an account puts on the records of its primary list. */
export async function readTags(reader: Reader, ref: AccountRef): Promise<UserTagsBody> {
  const { referent, rows } = await readAbout(reader, tagsOf(ref.kind), ref, {});
  return { address: referent.ref_address, ...summarise(rows) };
}

/** The tags that a list puts on its records. */
export async function readListTags(reader: Reader, ref: ListRef): Promise<ListTagsBody> {
  return { token_id: ref.list, ...summarise((await readAbout(reader, tagsOf(ref.kind), ref, {})).rows) };
}

const taggedAsOf = statements((kind: RefKind) =>
  aboutRef<object, Tagged>(
    kind,
    () => sql`select accounts.address, tags.tag from edge_tags join accounts on accounts.id = edge_tags.source
      join tags on tags.id = edge_tags.tag where edge_tags.target = ${ACCOUNT}`,
  ),
);

/** The tags that others put on the account. */
export async function readTaggedAs(reader: Reader, ref: AccountRef): Promise<UserTagsBody> {
  const { referent, rows } = await readAbout(reader, taggedAsOf(ref.kind), ref, {});
  return { address: referent.ref_address, ...summarise(rows) };
}

/** The tags that others put on the account of a list. */
export async function readListTaggedAs(reader: Reader, ref: ListRef): Promise<ListTagsBody> {
  return { token_id: ref.list, ...summarise((await readAbout(reader, taggedAsOf(ref.kind), ref, {})).rows) };
}

function summarise(rows: readonly Tagged[]): Omit<UserTagsBody, 'address'> {
  const counts = new Map<string, number>();
  for (const { tag } of rows) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tagCounts = [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || compareText(a.tag, b.tag));
  const taggedAddresses = rows
    .map(({ address, tag }) => ({ address, tag }))
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.tag, b.tag));
  return { tags: tagCounts.map(({ tag }) => tag), tagCounts, taggedAddresses };
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
