import { type Expression, type RawBuilder, sql } from 'kysely';
import { emptyProfile } from '../names/profile.ts';
import { joinEntries } from './join-entries.ts';

/** The entries of a page as JSON, joined with commas; null when there are none. */
export function selectEntries(
  page: Expression<{ entry: string; address: string }>,
  withEns: boolean,
): RawBuilder<string | null> {
  if (!withEns) return joinEntries(page);
  // A scalar subquery and not a join, which need not keep the order of the page.
  const ens = sql`coalesce((select ens from profiles where profiles.address = plain.address), ${EMPTY_PROFILE})`;
  return joinEntries(
    sql`(select substr(entry, 1, length(entry) - 1) || ',"ens":' || ${ens} || '}' as entry from ${page} as plain)`,
  );
}

/** What `emptyProfile` returns for the address of a row: it contains the address and its short form. */
const EMPTY_PROFILE = fillIn(emptyProfile(`0x${'0123456789'.repeat(4)}`), {
  [`0x${'0123456789'.repeat(4)}`]: sql`address`,
  '0x0123…6789': sql`substr(address, 1, 6) || '…' || substr(address, 39)`,
});

/** A text as an expression in which other expressions replace some of its parts. */
function fillIn(text: string, values: Readonly<Record<string, RawBuilder<unknown>>>): RawBuilder<string> {
  const parts = text.split(new RegExp(`(${Object.keys(values).join('|')})`));
  return sql`(${sql.join(
    parts.map((part) => values[part] ?? sql.lit(part)),
    sql` || `,
  )})`;
}
