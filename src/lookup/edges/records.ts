import { type RawBuilder, sql } from 'kysely';
import { isoFromSeconds } from '../../contract/iso-time.ts';
import type {
  AddressesBody,
  Following,
  FollowingBody,
  ListTagsBody,
  RecordsBody,
} from '../../contract/lookup-schemas.ts';
import type { Address } from '../../protocol/hex.ts';
import { columns, optional, type RowOf, select, statements } from '../../store/statement.ts';
import type { StreamReader } from '../../store/store.ts';
import { type Cut, EARLIEST, KEEP_ORDER, LATEST, orderBy } from '../page.ts';
import { ACCOUNT, type AccountRef, aboutRef, type Referent, SLOT, streamAbout } from '../refs/account-ref.ts';
import { NAMED_ACCOUNT, OTHER_RECORDS, shownTagsOf, tagColumns } from './edge-lists.ts';

const { address } = columns('accounts', 'shown');

const allAddresses = aboutRef(() =>
  select({ address }, sql`from records ${NAMED_ACCOUNT} where ${OTHER_RECORDS} ${orderBy(LATEST)} ${KEEP_ORDER}`),
);

/** The addresses of all records of a list's slot, latest first. */
export async function* streamAddresses(reader: StreamReader, ref: AccountRef): AsyncGenerator<AddressesBody> {
  for await (const { rows } of streamAbout(reader, allAddresses, ref, {})) {
    yield rows.map(({ address }) => address);
  }
}

const recordsByAddress = statements((withTags: boolean) =>
  aboutRef((target) => {
    const { slot, account } = columns('records');
    const tags = withTags
      ? tagColumns(target, slot, account)
      : { tags: sql<string | null>`null`, tag_count: sql<number | null>`null` };
    return select(
      { address, ...tags },
      sql`from records ${NAMED_ACCOUNT} where records.slot = ${SLOT} order by shown.address ${KEEP_ORDER}`,
    );
  }),
);

/** The same records by address. */
export async function* streamRecords(
  reader: StreamReader,
  ref: AccountRef,
  { withTags }: { readonly withTags: boolean },
): AsyncGenerator<RecordsBody> {
  for await (const { rows } of streamAbout(reader, recordsByAddress(withTags), ref, {})) {
    yield {
      records: rows.map((row) => ({
        version: 1,
        record_type: 'address',
        data: row.address,
        ...(withTags ? shownTagsOf(row) : {}),
      })),
    };
  }
}

/** A record with one of its tags; null if it has none. */
const RECORD = { address, time: columns('records').time, tag: optional('tags').tag };
type RecordRow = RowOf<typeof RECORD>;

/** A row per tag: one record may have more tags than fit into one turn of the event loop. */
const allRecords = aboutRef(() =>
  select(
    RECORD,
    sql`from records ${NAMED_ACCOUNT}
      left join record_tags on tagged = 1 and record_tags.slot = records.slot and record_tags.account = records.account
      left join tags on tags.id = record_tags.tag
      where records.slot = ${SLOT} ${orderBy(EARLIEST)}, tags.tag ${KEEP_ORDER}`,
  ),
);

/**
 * All records of a list's slot, with one of the account itself and with all tags, in the order in which the list can be
 * replayed. A piece may end within the tags of a record.
 */
export async function* streamExportState(reader: StreamReader, ref: AccountRef): AsyncGenerator<FollowingBody & Cut> {
  let rows: readonly RecordRow[] | undefined;
  let start = false;
  for await (const { rows: following } of streamAbout(reader, allRecords, ref, {})) {
    if (rows !== undefined) {
      const end = rows.at(-1)?.address === following[0]?.address;
      yield { following: entriesOf(rows), cut: { start, end } };
      start = end;
    }
    rows = following;
  }
  yield { following: entriesOf(rows ?? []), cut: { start, end: false } };
}

function entriesOf(rows: readonly RecordRow[]): Following[] {
  const entries: Following[] = [];
  for (const { address, time, tag } of rows) {
    let entry = entries.at(-1);
    if (entry?.address !== address) {
      const updated_at = isoFromSeconds(time);
      entry = { version: 1, record_type: 'address', data: address, address, tags: [], updated_at };
      entries.push(entry);
    }
    if (tag !== null) entry.tags.push(tag);
  }
  return entries;
}

/** Which tags: those on the records of a slot, or those that others put on an account. */
type Tagging = 'tags' | 'taggedAs';

/** The columns `account` and `tag`, by id. */
const TAGGED: Readonly<Record<Tagging, RawBuilder<unknown>>> = {
  tags: sql`select account, tag from record_tags where slot = ${SLOT} and account <> ${ACCOUNT}`,
  taggedAs: sql`select source as account, tag from edge_tags where target = ${ACCOUNT}`,
};

type Tags = Omit<ListTagsBody, 'token_id'>;

const PART = { tags: 0, counts: 1, addresses: 2 } as const;

const TAG = {
  /** The property of the response that the row belongs to. */
  part: sql<number>`part`,
  tag: columns('tags', 'parts').tag,
  /** 0 in the last part. */
  uses: sql<number>`uses`,
  /** Empty in the parts that count. */
  address: sql<Address | ''>`address`,
};

/** Parts come one after the other, as in the response, so that it can be written while rows arrive. */
const tagsOf = statements((tagging: Tagging) =>
  aboutRef(() => {
    const counts = (part: number) => sql`select ${sql.lit(part)} as part, tags.tag, uses, '' as address
      from (select tag, count(*) as uses from (${TAGGED[tagging]}) as tagged group by tag) as counted
      join tags on tags.id = counted.tag`;
    return select(
      TAG,
      sql`from (${counts(PART.tags)} union all ${counts(PART.counts)}
        union all select ${sql.lit(PART.addresses)}, tags.tag, 0, accounts.address from (${TAGGED[tagging]}) as tagged
          join accounts on accounts.id = tagged.account join tags on tags.id = tagged.tag
      ) as parts order by part, uses desc, address, tag ${KEEP_ORDER}`,
    );
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

function partsOf(rows: readonly RowOf<typeof TAG>[]): Tags {
  const of = (part: number) => rows.filter((row) => row.part === part);
  return {
    tags: of(PART.tags).map(({ tag }) => tag),
    tagCounts: of(PART.counts).map(({ tag, uses }) => ({ tag, count: uses })),
    taggedAddresses: of(PART.addresses).map(({ address, tag }) => ({ address, tag })),
  };
}
