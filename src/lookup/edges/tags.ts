import { type RawBuilder, sql } from 'kysely';
import type { ListTagsBody } from '../../contract/lookup-schemas.ts';
import type { Address } from '../../protocol/hex.ts';
import { statements } from '../../store/statement.ts';
import type { StreamReader } from '../../store/store.ts';
import { KEEP_ORDER } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, type Referent, SLOT, streamAbout } from '../refs/account-ref.ts';

/** Which tags: those on the records of a slot, or those that others put on an account. */
type Tagging = 'tags' | 'taggedAs';

/** The columns `account` and `tag`, by id. */
const TAGGED: Readonly<Record<Tagging, RawBuilder<unknown>>> = {
  tags: sql`select account, tag from record_tags where slot = ${SLOT} and account <> ${ACCOUNT}`,
  taggedAs: sql`select source as account, tag from edge_tags where target = ${ACCOUNT}`,
};

type Tags = Omit<ListTagsBody, 'token_id'>;

interface TagRow {
  /** The property of the response that the row belongs to. */
  readonly part: number;
  readonly tag: string;
  /** 0 in the last part. */
  readonly uses: number;
  /** Empty in the parts that count. */
  readonly address: Address | '';
}
const PART = { tags: 0, counts: 1, addresses: 2 } as const;

/** Parts come one after the other, as in the response, so that it can be written while rows arrive. */
const tagsOf = statements((tagging: Tagging) =>
  aboutRef<object, TagRow>(() => {
    const counts = (part: number) => sql`select ${sql.lit(part)} as part, tags.tag, uses, '' as address
      from (select tag, count(*) as uses from (${TAGGED[tagging]}) as tagged group by tag) as counted
      join tags on tags.id = counted.tag`;
    return sql`select part, tag, uses, address from (${counts(PART.tags)} union all ${counts(PART.counts)}
        union all select ${sql.lit(PART.addresses)}, tags.tag, 0, accounts.address from (${TAGGED[tagging]}) as tagged
          join accounts on accounts.id = tagged.account join tags on tags.id = tagged.tag
      ) as parts order by part, uses desc, address, tag ${KEEP_ORDER}`;
  }),
);

/**
 * The tags that an account puts on the records of its primary list, or that others put on it; the same of a list and its
 * account. `head` is what the body starts with.
 */
export async function* streamTags<H extends object>(
  reader: StreamReader,
  tagging: Tagging,
  ref: AccountRef,
  head: (referent: Referent) => H,
): AsyncGenerator<H & Tags> {
  for await (const { referent, rows } of streamAbout(reader, tagsOf(tagging), ref, {})) {
    yield { ...head(referent), ...partsOf(rows) };
  }
}

function partsOf(rows: readonly TagRow[]): Tags {
  const of = (part: number) => rows.filter((row) => row.part === part);
  return {
    tags: of(PART.tags).map(({ tag }) => tag),
    tagCounts: of(PART.counts).map(({ tag, uses }) => ({ tag, count: uses })),
    taggedAddresses: of(PART.addresses).map(({ address, tag }) => ({ address, tag })),
  };
}
