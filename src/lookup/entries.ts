import { type Expression, type RawBuilder, sql } from 'kysely';
import { emptyProfile } from '../names/profile.ts';
import type { Address } from '../protocol/hex.ts';
import type { Dialect } from '../store/dialect.ts';
import { joinEntries } from './join-entries.ts';

/** A page of entries as one value, see `entriesOf`. */
export function selectEntries(
  dialect: Dialect,
  page: Expression<{ entry: string; address: string }>,
  withEns: boolean,
): RawBuilder<string | null> {
  if (!withEns) return joinEntries(page);
  // A scalar subquery and not a join, which need not keep the order of the page.
  const rows = sql`select entry, address, (select ens from profiles where profiles.address = page.address) as ens
    from ${page} as page`;
  return sql`(select ${dialect.jsonRows(['entry', 'address', 'ens'])} from (${rows}) as entries)`;
}

/** The entries that `selectEntries` selected, as JSON joined with commas. */
export function entriesOf(value: string | null, withEns: boolean): string {
  if (value === null || !withEns) return value ?? '';
  // Safe: `selectEntries` selects these columns.
  const rows = JSON.parse(value) as [entry: string, address: Address, ens: string | null][];
  return rows.map(([entry, address, ens]) => addEns(entry, address, ens)).join(',');
}

function addEns(entry: string, address: Address, ens: string | null): string {
  return `${entry.slice(0, -1)},"ens":${ens ?? emptyProfile(address)}}`;
}
