import { EVENT_TYPES, EVENT_TYPES_OF, type EventType } from '../contract/event-schemas.ts';
import { isRelationTag } from '../graph/relation.ts';
import type { Address } from '../protocol/hex.ts';
import type { EventFacts } from './build-event.ts';

export const ROLES = ['any', 'source', 'target'] as const;

/** Which events a stream sends. All conditions apply together. */
export interface EventFilter {
  /** Null for all accounts. */
  readonly accounts: ReadonlySet<Address> | null;
  readonly role: (typeof ROLES)[number];
  /** Null for all. */
  readonly types: ReadonlySet<EventType> | null;
  /** Of tags and un-tags; null for all. */
  readonly tags: ReadonlySet<string> | null;
  /** Whether list ops of lists that are no valid primary lists pass. */
  readonly allLists: boolean;
}

const TAGGED: readonly EventType[] = ['tag', 'untag'];
/** The types that name a target, and those that change whose records count. */
const TARGETED: readonly EventType[] = [...EVENT_TYPES_OF.follow, ...EVENT_TYPES_OF.tag];
const CONCERNING: readonly EventType[] = ['mint', 'burn', 'location', 'user', 'primary'];

/** Why no event can pass a filter; null if one can. */
export function whyImpossible({ accounts, role, types, tags }: EventFilter): string | null {
  const given = [...(types ?? EVENT_TYPES)];
  if (accounts === null && role !== 'any') return `role=${role} needs an account`;
  if (tags !== null) {
    if (!given.some((type) => TAGGED.includes(type)))
      return 'tag is of events of the types tag and untag, and type has neither of them';
    if ([...tags].every(isRelationTag))
      return 'the tags block and mute have types of their own: block, unblock, mute and unmute';
  }
  if (role === 'target' && !given.some((type) => TARGETED.includes(type) || CONCERNING.includes(type)))
    return `no event of type ${given.join(' or ')} has a target`;
  return null;
}

/** Whether a filter looks at the records of slots, see `passes`. */
export const watchesTargets = ({ accounts, role }: EventFilter) => accounts !== null && role !== 'source';

/**
 * Whether an event passes. A list may become a primary list after its ops, which then count as follows: `holds` says
 * whether a slot that the event concerns, now or before it, has a record of an account of the filter.
 */
export function passes(
  { accounts, role, types, tags, allLists }: EventFilter,
  event: EventFacts,
  holds: (accounts: ReadonlySet<Address>) => boolean,
): boolean {
  if (types !== null && !types.has(event.type)) return false;
  if (tags !== null && !(TAGGED.includes(event.type) && 'tag' in event && tags.has(event.tag))) return false;
  if (!allLists && 'is_primary' in event && !event.is_primary) return false;
  if (accounts === null) return true;
  const has = (account: string) => accounts.has(account as Address);
  if (role !== 'target' && (has(event.account) || ('from' in event && has(event.from)))) return true;
  if (role === 'source') return false;
  return 'target' in event ? has(event.target) : CONCERNING.includes(event.type) && holds(accounts);
}
