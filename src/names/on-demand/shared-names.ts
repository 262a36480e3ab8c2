import type { UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { param } from '../../store/params.ts';
import { statement } from '../../store/statement.ts';
import type { Store } from '../../store/store.ts';

/** What `cache=fresh` resolved a name to. */
interface SharedName {
  readonly address: Address | null;
  readonly resolvedAt: UnixMs;
}

export type SharedNames = ReturnType<typeof createSharedNames>;

const SHARED = statement<{ name: string }, SharedName>((db) =>
  db
    .selectFrom('resolved_names')
    .select((eb) => [eb.ref('address').$castTo<Address | null>().as('address'), 'resolved_at as resolvedAt'])
    .where('name', '=', param<string>('name')),
);

/**
 * Resolutions of `cache=fresh` that every process sees. Those of stored profiles are shared by the profile. After `ttlMs`
 * no process has an earlier resolution, and the row is removed by the next write.
 */
export function createSharedNames(store: Pick<Store, 'reader' | 'transaction'>, ttlMs: number) {
  return {
    read: async (name: string): Promise<SharedName | null> => (await store.reader.all(SHARED, { name }))[0] ?? null,
    write: (name: string, { address, resolvedAt }: SharedName): Promise<void> =>
      store.transaction(async (tx) => {
        await tx.execute((db) => db.deleteFrom('resolved_names').where('resolved_at', '<', resolvedAt - ttlMs));
        await tx.upsert('resolved_names', [{ name, address, resolved_at: resolvedAt }]);
        await tx.raiseVersion();
      }),
  };
}
