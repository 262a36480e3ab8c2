import { type Static, Type } from '@sinclair/typebox';
import type { BinaryString } from './binary-string.ts';
import { LeaderboardEntry } from './schemas.ts';
import { serialiser } from './serialise.ts';

/**
 * How entries are laid out in the database, with the readers that find a field without parsing JSON. Offsets are
 * derived from the serialiser when the module is loaded.
 *
 *     leaderboard.entry    {"address":"0x…","name":"…","avatar":"…"  newline  counts with spaces between them
 *     notifications page   one digit for each opcode  space  entries with commas between them
 */

/** The part of a leaderboard entry that stays the same from ranking to ranking. */
const Member = Type.Pick(LeaderboardEntry, ['address', 'name', 'avatar'], { additionalProperties: false });
const serialiseMember = serialiser(Member);

/** The counts of an entry, in the order in which they are stored. */
const COUNTS = ['mutuals', 'following', 'followers', 'blocks'] as const;
export type EntryCount = (typeof COUNTS)[number];

/** A leaderboard entry without ranks and time, which every ranking changes for all members. */
export function storedEntry(member: Static<typeof Member>, counts: Readonly<Record<EntryCount, number>>): string {
  return `${serialiseMember(member).slice(0, -1)}\n${COUNTS.map((name) => counts[name]).join(' ')}`;
}

/** Where the counts begin in a stored entry, and where the JSON before them ends. */
export function countsIn(stored: string): { readonly jsonEnd: number; readonly counts: string } {
  const jsonEnd = stored.lastIndexOf('\n');
  return { jsonEnd, counts: stored.slice(jsonEnd + 1) };
}

export function parseCounts(counts: string): Record<EntryCount, string> {
  const values = counts.split(' ');
  // Safe: there is an entry for every count.
  return Object.fromEntries(COUNTS.map((name, i) => [name, values[i] ?? ''])) as Record<EntryCount, string>;
}

const PROBE = { address: `0x${'1'.repeat(40)}`, name: 'name-of-the-probe', avatar: '' };
const probe = serialiseMember(PROBE);
const ADDRESS_START = probe.indexOf(PROBE.address);
const ADDRESS_END = ADDRESS_START + PROBE.address.length;
const NAME_START = probe.indexOf(PROBE.name);

/** The address in a leaderboard entry, complete or not. */
export function addressIn(entry: string): string {
  return entry.slice(ADDRESS_START, ADDRESS_END);
}

/** The name in a stored leaderboard entry, in lower case. */
export function nameIn(stored: string): string {
  const isPlain = !stored.includes('\\');
  const name = isPlain ? stored.slice(NAME_START, stored.indexOf('"', NAME_START)) : parseMember(stored).name;
  return name.toLowerCase();
}

function parseMember(stored: string): Static<typeof Member> {
  // Safe: it was serialised from the schema.
  return JSON.parse(`${stored.slice(0, countsIn(stored).jsonEnd)}}`) as Static<typeof Member>;
}

/** Separates the opcodes of a page of notifications from its entries. */
export const OPCODES_END = ' ';

/** The opcodes of a page of notifications, one digit each, and its entries. */
export function splitNotifications(page: BinaryString): { readonly opcodes: string; readonly entries: BinaryString } {
  const end = page.indexOf(OPCODES_END);
  // Safe: a part of a binary string is one.
  return { opcodes: page.slice(0, end), entries: page.slice(end + OPCODES_END.length) as BinaryString };
}
