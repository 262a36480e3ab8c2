import { settleAll } from '../async/batches.ts';
import type { BadgeSource } from '../badges/badge-source.ts';
import type { NameResolver } from '../names/on-demand/name-resolver.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { AccountRef, ResolveRef } from './account-ref.ts';
import { createResolveAccount } from './resolve-account.ts';

export interface RenewOptions {
  readonly resolveRef: ResolveRef;
  /** Null, like `badges`, without a source. */
  readonly names: NameResolver | null;
  readonly profiles: ProfileRefresher;
  readonly badges: BadgeSource | null;
}

/** Implements `cache=fresh`: fetches again what a request needs from its sources. During an outage, stored data is kept. */
export interface Renew {
  profile(ref: AccountRef): Promise<void>;
  /** Badges and profile. */
  badges(ref: AccountRef): Promise<void>;
}

export function createRenew({ resolveRef, names, profiles, badges }: RenewOptions): Renew {
  const resolve = createResolveAccount(names, { fresh: true });

  /** Null during an outage of the name source: stored data may still answer the request. */
  async function find(ref: AccountRef): Promise<Address | null> {
    try {
      return await resolveRef(await resolve(ref));
    } catch (error) {
      if (error instanceof RemoteError) return null;
      throw error;
    }
  }

  async function renewProfile(ref: AccountRef): Promise<void> {
    if (names === null) return;
    const account = await find(ref);
    if (account !== null) await profiles.renew(account);
  }

  return {
    profile: renewProfile,
    async badges(ref) {
      if (badges === null) return renewProfile(ref);
      const account = await find(ref);
      if (account === null) return;
      // Waits for both: an outage of one source must not cancel the other.
      await settleAll([profiles.renew(account), badges.collectionsOf(account, { fresh: true })]);
    },
  };
}
