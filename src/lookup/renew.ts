import { settleAll } from '../async/batches.ts';
import type { BadgeSource } from '../badges/badge-source.ts';
import type { Profiles } from '../names/live-profiles.ts';
import type { NameSource } from '../names/name-source.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { AccountRef, ResolveRef } from './account-ref.ts';
import { createResolveAccount } from './resolve-account.ts';

export interface RenewOptions {
  readonly resolveRef: ResolveRef;
  /** Null, as for badges, where there is no source: what is stored is all there is. */
  readonly names: NameSource | null;
  readonly profiles: Profiles;
  readonly badges: BadgeSource | null;
}

/** Has the sources asked again about what a request names. Where they cannot tell, what is known stands, if anything is. */
export interface Renew {
  profile(ref: AccountRef): Promise<void>;
  /** The profile too. */
  badges(ref: AccountRef): Promise<void>;
}

export function createRenew({ resolveRef, names, profiles, badges }: RenewOptions): Renew {
  const resolve = createResolveAccount(names, { fresh: true });

  /** Null when a source cannot tell now: what is known of the name may still be enough for an answer. */
  async function find(ref: AccountRef): Promise<Address | null> {
    try {
      return await resolveRef(await resolve(ref));
    } catch (error) {
      if (error instanceof RemoteError) return null;
      throw error;
    }
  }

  /** Without a source there is nothing to renew. */
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
      // Both are waited for: that one source fails says nothing of the other. Badges that are not known then stay so.
      await settleAll([profiles.renew(account), badges.collectionsOf(account, { fresh: true })]);
    },
  };
}
