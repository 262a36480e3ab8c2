import { settleAll } from '../../async/settle-all.ts';
import type { BadgeSource } from '../../badges/badge-source.ts';
import type { NameResolver } from '../../names/on-demand/name-resolver.ts';
import type { ProfileRefresher } from '../../names/on-demand/profile-refresher.ts';
import type { Address } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import type { Reader } from '../../store/store.ts';
import { type AccountRef, resolveRef } from './account-ref.ts';
import { createResolveAccount } from './resolve-account.ts';

export interface RenewOptions {
  /** Null, like `badges`, without a source. */
  readonly names: NameResolver | null;
  readonly profiles: ProfileRefresher;
  readonly badges: BadgeSource | null;
}

/** Implements `cache=fresh`: fetches again what a request needs from its sources. During an outage, stored data is kept. */
export function createRenew({ names, profiles, badges }: RenewOptions) {
  const resolve = createResolveAccount(names, { fresh: true });

  /** Null during an outage of the name source: stored data may still answer the request. */
  async function find(reader: Reader, ref: AccountRef): Promise<Address | null> {
    try {
      return await resolveRef(reader, await resolve(ref));
    } catch (error) {
      if (error instanceof RemoteError) return null;
      throw error;
    }
  }

  async function renewProfile(reader: Reader, ref: AccountRef): Promise<void> {
    if (names === null) return;
    const account = await find(reader, ref);
    if (account !== null) await profiles.renew(account);
  }

  return {
    profile: renewProfile,
    /** Badges and profile. */
    async badges(reader: Reader, ref: AccountRef): Promise<void> {
      if (badges === null) return renewProfile(reader, ref);
      const account = await find(reader, ref);
      if (account === null) return;
      // Waits for both: an outage of one source must not cancel the other.
      await settleAll([profiles.renew(account), badges.collectionsOf(account, { fresh: true })]);
    },
  };
}
