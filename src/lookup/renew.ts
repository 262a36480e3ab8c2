import { settleAll } from '../async/batches.ts';
import type { BadgeSource } from '../badges/badge-source.ts';
import type { NameResolver } from '../names/on-demand/name-resolver.ts';
import type { ProfileRefresher } from '../names/on-demand/profile-refresher.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { createResolveAccount } from './resolve-account.ts';
import type { AccountOf, Subject } from './subject.ts';

export interface RenewOptions {
  readonly accountOf: AccountOf;
  /** Null, as for badges, where there is no source: what is stored is all there is. */
  readonly names: NameResolver | null;
  readonly profiles: ProfileRefresher;
  readonly badges: BadgeSource | null;
}

/** Has the sources asked again about what a request names. Where they cannot tell, what is known stands, if anything is. */
export interface Renew {
  profile(subject: Subject): Promise<void>;
  /** The profile too. */
  badges(subject: Subject): Promise<void>;
}

export function createRenew({ accountOf, names, profiles, badges }: RenewOptions): Renew {
  const resolve = createResolveAccount(names, { fresh: true });

  /** Null when a source cannot tell now: what is known of the name may still be enough for an answer. */
  async function find(subject: Subject): Promise<Address | null> {
    try {
      return await accountOf(await resolve(subject));
    } catch (error) {
      if (error instanceof RemoteError) return null;
      throw error;
    }
  }

  /** Without a source there is nothing to renew. */
  async function renewProfile(subject: Subject): Promise<void> {
    if (names === null) return;
    const account = await find(subject);
    if (account !== null) await profiles.renew(account);
  }

  return {
    profile: renewProfile,
    async badges(subject) {
      if (badges === null) return renewProfile(subject);
      const account = await find(subject);
      if (account === null) return;
      // Both are waited for: that one source fails says nothing of the other. Badges that are not known then stay so.
      await settleAll([profiles.renew(account), badges.collectionsOf(account, { fresh: true })]);
    },
  };
}
