import { sql } from 'kysely';
import type { Address } from '../protocol/hex.ts';
import type { Row } from '../store/schema.ts';
import type { Transaction } from '../store/store.ts';
import { namelessRow } from './profile.ts';

type NameClaim = Pick<Row<'profiles'>, 'address' | 'name' | 'fresh'>;

/**
 * A name resolves to one address, so of several profiles with one name only the latest is right, see `holderOfName`.
 * Returns the rows of all others, given or stored, without the name.
 */
export async function readLostNames(tx: Transaction, given: readonly Row<'profiles'>[]): Promise<Row<'profiles'>[]> {
  const names = new Set(given.map(({ name }) => name));
  names.delete('');
  if (names.size === 0) return [];
  const stored = await tx.query<NameClaim>((db) =>
    db
      .selectFrom('profiles')
      .select(['address', 'name', 'fresh'])
      .where('name', 'in', tx.dialect.textsOf(sql.val(JSON.stringify([...names]))))
      // The literal lets the planner use the partial index on profiles with a name.
      .where('name', '<>', sql.lit('')),
  );
  // A given profile replaces the stored one of its account.
  const claims = new Map<string, NameClaim>([...stored, ...given].map((claim) => [claim.address, claim]));
  const holders = new Map<string, NameClaim>();
  for (const claim of claims.values()) {
    const holder = holders.get(claim.name);
    if (holder === undefined || isLater(claim, holder)) holders.set(claim.name, claim);
  }
  return (
    [...claims.values()]
      .filter((claim) => claim.name !== '' && holders.get(claim.name) !== claim)
      // Safe: the primary key of profiles is an address.
      .map(({ address, fresh }) => namelessRow(address as Address, fresh))
  );
}

function isLater(a: NameClaim, b: NameClaim): boolean {
  return a.fresh > b.fresh || (a.fresh === b.fresh && a.address < b.address);
}
