import { sql } from 'kysely';
import type { AmongEdge, EdgesAmongBody } from '../../contract/batch-schemas.ts';
import type {
  BatchStatesBody,
  FollowerStateBody,
  ListStateBody,
  RelationshipBody,
  State,
} from '../../contract/lookup-schemas.ts';
import { RELATIONS } from '../../graph/relation.ts';
import type { Address } from '../../protocol/hex.ts';
import { param } from '../../store/params.ts';
import { columns, type RowOf, select, statement, withQueries } from '../../store/statement.ts';
import type { Reader, StreamReader } from '../../store/store.ts';
import { ACCOUNT, type AccountRef, aboutRef, type ListRef, readAbout } from '../refs/account-ref.ts';
import { addressesOf, type Other } from '../refs/resolver.ts';
import { OTHER_RECORDS, shownTagsOf, tagColumns } from './edge-lists.ts';

const { relation, slot, account } = columns('records');

const followerStateOf = aboutRef<{ other: Address }>()(() =>
  select(
    { relation },
    sql`from accounts as other join records on records.slot = other.active_slot
      where other.address = ${param('other')} and records.account = ${ACCOUNT} and other.id <> records.account`,
  ),
);

/** What the edge of `other` to the account is. */
export async function readFollowerState(reader: Reader, ref: AccountRef, other: Address): Promise<FollowerStateBody> {
  const { referent, rows } = await readAbout(reader, followerStateOf, ref, { other });
  return { addressUser: referent.ref_address, addressFollower: other, state: stateOf(rows[0]?.relation) };
}

/** The same for the account of a list. */
export async function readListFollowerState(reader: Reader, ref: ListRef, other: Address): Promise<ListStateBody> {
  const { rows } = await readAbout(reader, followerStateOf, ref, { other });
  return { token_id: ref.list, address: other, state: stateOf(rows[0]?.relation) };
}

const buttonStateOf = aboutRef<{ other: Address }>()(() =>
  select(
    { relation },
    sql`from accounts as other join records on records.account = other.id
      where other.address = ${param('other')} and ${OTHER_RECORDS}`,
  ),
);

/** What `other` is in the slot. */
export async function readButtonState(reader: Reader, ref: AccountRef, other: Address): Promise<ListStateBody> {
  const { referent, rows } = await readAbout(reader, buttonStateOf, ref, { other });
  return { token_id: referent.ref_list ?? '', address: other, state: stateOf(rows[0]?.relation) };
}

const relationshipOf = aboutRef<{ other: Address }>()(() => {
  const own = sql`select relation from records where ${OTHER_RECORDS} and records.account = other.id`;
  const theirs = sql`select relation from records
      where records.slot = other.active_slot and records.account = ${ACCOUNT} and records.account <> other.id`;
  return select(
    { own: sql<number | null>`(${own})`, theirs: sql<number | null>`(${theirs})` },
    sql`from accounts as other where other.address = ${param('other')}`,
  );
});

/** What the edges between an account and `other` are. */
export async function readRelationship(reader: Reader, ref: AccountRef, other: Address): Promise<RelationshipBody> {
  const { referent, rows } = await readAbout(reader, relationshipOf, ref, { other });
  const [own, theirs] = [stateOf(rows[0]?.own), stateOf(rows[0]?.theirs)];
  return {
    source: referent.ref_address,
    target: other,
    state: {
      is_following: own.follow,
      is_followed_by: theirs.follow,
      is_blocked: own.block,
      is_blocked_by: theirs.block,
      is_muted: own.mute,
      is_muted_by: theirs.mute,
    },
  };
}

const buttonStatesOf = aboutRef<{ others: string }>()(({ dialect }) =>
  select(
    { address: columns('accounts', 'other').address, relation },
    sql`from accounts as other join records on records.account = other.id
      where other.address in ${dialect.textsOf(param('others'))} and ${OTHER_RECORDS}`,
  ),
);

/** The same for many. */
export async function readButtonStates(
  reader: Reader,
  ref: AccountRef,
  others: readonly Other[],
): Promise<BatchStatesBody> {
  const params = { others: JSON.stringify(addressesOf(others)) };
  const { referent, rows } = await readAbout(reader, buttonStatesOf, ref, params);
  const relations = new Map(rows.map(({ address, relation }) => [address, relation]));
  const token_id = referent.ref_list ?? '';
  return others.map(({ text, address }) =>
    address === null
      ? { token_id, address: text, state: null }
      : { token_id, address, state: stateOf(relations.get(address)) },
  );
}

/** The code of a relation; null or undefined if there is no record. */
export function stateOf(code: number | null | undefined): State {
  const relation = RELATIONS[code ?? -1];
  return { follow: relation === 'follow', block: relation === 'block', mute: relation === 'mute' };
}

/** Bounds the edges, and the records that are looked up, to the pairs of these. */
export const MAX_AMONG = 200;

const amongColumns = (target: Parameters<typeof tagColumns>[0]) => ({
  source: columns('accounts', 'source').address,
  target: columns('accounts', 'target').address,
  relation,
  ...tagColumns(target, slot, account),
});

/** Looks up each pair in an index: an account may have many more records than the set has accounts. */
const edgesAmong = statement<{ accounts: string }>()((_db, dialect, isShort) => {
  const given = sql`select id, address, active_slot from accounts
    where address in ${dialect.textsOf(param('accounts'))}`;
  const found = select(
    amongColumns({ dialect, isShort }),
    sql`from given as source cross join given as target
      join records on records.slot = source.active_slot and records.account = target.id
      where source.id <> target.id order by source.address, target.address`,
  );
  return withQueries({ given }, found).query;
});

/** All edges whose source and target are both among some accounts. */
export async function* streamEdgesAmong(
  reader: StreamReader,
  others: readonly Other[],
): AsyncGenerator<EdgesAmongBody> {
  yield { accounts: others.map(({ address }) => address), edges: [] };
  const params = { accounts: JSON.stringify(addressesOf(others)) };
  for await (const rows of reader.stream(edgesAmong, params)) yield { accounts: [], edges: rows.map(edgeOf) };
}

function edgeOf(row: RowOf<ReturnType<typeof amongColumns>>): AmongEdge {
  const { source, target, relation } = row;
  // Safe: the column holds the code of a relation.
  return { source, target, relation: RELATIONS[relation] as AmongEdge['relation'], ...shownTagsOf(row) };
}
