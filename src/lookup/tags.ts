import { sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import type { Reader } from '../store/store.ts';
import type { AccountRef } from './account-ref.ts';
import { isOther } from './following.ts';
import { prepareForRef } from './prepare-for-ref.ts';

interface Tagged {
  readonly account: string;
  /** JSON rows of an address and a tag, or of a record and its tags. */
  readonly tagged: string | null;
}

export interface TagLookups {
  /** The tags that a list puts on its records. */
  readonly tags: (ref: AccountRef) => Promise<BinaryString>;
  /** The tags that others put on the account. */
  readonly taggedAs: (ref: AccountRef) => Promise<BinaryString>;
}

export function createTagLookups(reader: Reader): TagLookups {
  const { dialect } = reader;
  const ofSlot = prepareForRef<object, Tagged>(reader, (_db, subject) => ({
    account: sql`${subject.account}`,
    tagged: sql`(select ${dialect.jsonRows(['address', 'tags'])} from records
      where ${isOther(subject)} and tags <> '[]')`,
  }));
  const ofEdges = prepareForRef<object, Tagged>(reader, (_db, { account }) => ({
    account: sql`${account}`,
    tagged: sql`(select ${dialect.jsonRows(['address', 'tag'])} from edge_tags where target = ${account})`,
  }));
  return {
    async tags(ref) {
      const { account, tagged } = await ofSlot(ref, {});
      // Safe, here and below: the statement selects these columns.
      const records = JSON.parse(tagged ?? '[]') as [address: string, tags: string][];
      const rows = records.flatMap(([address, tags]) =>
        (JSON.parse(tags) as string[]).map((tag) => ({ address, tag })),
      );
      return tagsBody(ref, account, rows);
    },
    async taggedAs(ref) {
      const { account, tagged } = await ofEdges(ref, {});
      const rows = (JSON.parse(tagged ?? '[]') as [string, string][]).map(([address, tag]) => ({ address, tag }));
      return tagsBody(ref, account, rows);
    },
  };
}

function tagsBody(ref: AccountRef, account: string, tagged: { address: string; tag: string }[]): BinaryString {
  const counts = new Map<string, number>();
  for (const { tag } of tagged) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const tagCounts = [...counts]
    .map(([tag, count]) => ({ tag, count }))
    .sort((a, b) => b.count - a.count || compareText(a.tag, b.tag));
  tagged.sort((a, b) => compareText(a.address, b.address) || compareText(a.tag, b.tag));
  const subject = ref.kind === 'list' ? { token_id: ref.list } : { address: account };
  return toBinary(
    JSON.stringify({ ...subject, tags: tagCounts.map(({ tag }) => tag), tagCounts, taggedAddresses: tagged }),
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
