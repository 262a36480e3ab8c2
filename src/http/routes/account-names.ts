import type { Lookups } from '../../lookup/lookups.ts';
import type { AccountParameter } from '../../lookup/refs/account-ref.ts';

/** Safe: no other parameter has a value with this property. */
const isAccount = (value: unknown): value is AccountParameter =>
  typeof value === 'object' && value !== null && 'kind' in value;

/** The accounts among the values of parameters. */
export function accountsIn(values: object): AccountParameter[] {
  return Object.values(values).filter(isAccount);
}

/** Whether a remote source resolves one of their names: the result is not in the database, and expires. */
export function hasRemoteName({ sources }: Lookups, ...given: readonly object[]): boolean {
  return sources.names !== 'none' && given.flatMap(accountsIn).some(({ kind }) => kind === 'name');
}

/** Replaces names by the addresses that a remote source resolves them to. */
export async function resolveNames<T extends object>(lookups: Lookups, values: T): Promise<T> {
  const resolved = Object.entries(values).map(async ([name, value]) => [
    name,
    isAccount(value) ? await lookups.resolveAccount(value) : value,
  ]);
  return Object.fromEntries(await Promise.all(resolved));
}
