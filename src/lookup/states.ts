import { sql } from 'kysely';
import { type BinaryString, toBinary } from '../contract/binary-string.ts';
import { RELATIONS } from '../graph/relation.ts';
import type { Address } from '../protocol/hex.ts';
import { param } from '../store/prepare.ts';
import type { Reader } from '../store/store.ts';
import type { AccountRef } from './account-ref.ts';
import { isOther } from './following.ts';
import { activeSlot, prepareForRef } from './prepare-for-ref.ts';

/** The code of a record's relation; null if there is no record. */
type RelationCode = number | null;

/** How one account relates to another. */
export interface StateLookups {
  /** What the edge of `other` to the account is. */
  readonly followerState: (ref: AccountRef, other: Address) => Promise<BinaryString>;
  /** What `other` is in the slot. */
  readonly buttonState: (ref: AccountRef, other: Address) => Promise<BinaryString>;
  /** The same for many. An address that could not be resolved is given as null, with its text. */
  readonly buttonStates: (ref: AccountRef, others: readonly Other[]) => Promise<BinaryString>;
}

export interface Other {
  /** As the client gave it. */
  readonly text: string | null;
  readonly address: Address | null;
}

export function createStateLookups(reader: Reader): StateLookups {
  const other = param<string>('other');
  const readFollower = prepareForRef<{ other: Address }, { account: Address; relation: RelationCode }>(
    reader,
    (_db, { account }) => ({
      account: sql`${account}`,
      relation: sql`(select relation from records
        where ${isOther({ account: other, slot: activeSlot(other) })} and address = ${account})`,
    }),
  );
  const readButton = prepareForRef<{ other: Address }, { list: string | null; relation: RelationCode }>(
    reader,
    (_db, subject) => ({
      list: sql`${subject.list}`,
      relation: sql`(select relation from records where ${isOther(subject)} and address = ${other})`,
    }),
  );
  const readButtons = prepareForRef<{ others: string }, { list: string | null; found: string | null }>(
    reader,
    (_db, subject) => ({
      list: sql`${subject.list}`,
      found: sql`(select ${reader.dialect.jsonRows(['address', 'relation'])} from records
        where ${isOther(subject)} and address in ${reader.dialect.textsOf(param('others'))})`,
    }),
  );
  return {
    async followerState(ref, address) {
      const { account, relation } = await readFollower(ref, { other: address });
      const state = stateOf(relation);
      return toBinary(
        ref.kind === 'list'
          ? `{"token_id":"${ref.list}","address":"${address}","state":${state}}`
          : `{"addressUser":"${account}","addressFollower":"${address}","state":${state}}`,
      );
    },
    async buttonState(ref, address) {
      const { list, relation } = await readButton(ref, { other: address });
      return toBinary(`{"token_id":"${list ?? ''}","address":"${address}","state":${stateOf(relation)}}`);
    },
    async buttonStates(ref, others) {
      const addresses = new Set(others.flatMap(({ address }) => (address === null ? [] : [address])));
      const { list, found } = await readButtons(ref, { others: JSON.stringify([...addresses]) });
      // Safe: the statement selects these columns.
      const relations = new Map(JSON.parse(found ?? '[]') as [Address, number][]);
      const states = others.map(({ text, address }) =>
        address === null
          ? `{"token_id":"${list ?? ''}","address":${JSON.stringify(text)},"state":null}`
          : `{"token_id":"${list ?? ''}","address":"${address}","state":${stateOf(relations.get(address) ?? null)}}`,
      );
      return toBinary(`[${states.join(',')}]`);
    },
  };
}

const stateText = (relation: (typeof RELATIONS)[number] | null) =>
  JSON.stringify({ follow: relation === 'follow', block: relation === 'block', mute: relation === 'mute' });
const NO_EDGE = stateText(null);
const STATES = RELATIONS.map(stateText);

function stateOf(relation: RelationCode): string {
  return relation === null ? NO_EDGE : (STATES[relation] ?? NO_EDGE);
}
