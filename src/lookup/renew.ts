import type { BadgeSource } from '../badges/badge-source.ts';
import { together } from '../batches.ts';
import type { Profiles } from '../names/live-profiles.ts';
import type { NameSource } from '../names/name-source.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { AccountOf } from './account-of-list.ts';
import { type AccountReference, createResolveAccount } from './resolve-account.ts';

export interface RenewOptions {
  readonly accountOf: AccountOf;
  readonly names: NameSource;
  readonly profiles: Profiles;
  readonly badges: BadgeSource;
}

/** What a request names: an account, or a list that stands for one. */
type Named = AccountReference | { readonly kind: 'list'; readonly list: string };

/** Has the sources asked again about what a request names. Where they cannot tell, what is known stands, if anything is. */
export interface Renew {
  profile(named: Named): Promise<void>;
  /** The profile too. */
  badges(named: Named): Promise<void>;
}

export function createRenew({ accountOf, names, profiles, badges }: RenewOptions): Renew {
  const resolve = createResolveAccount(names, { fresh: true });

  /** Null when a source cannot tell now: what is known of the name may still be enough for an answer. */
  async function find(named: Named): Promise<Address | null> {
    if (named.kind === 'list') return accountOf(named);
    try {
      return await resolve(named);
    } catch (error) {
      if (error instanceof RemoteError) return null;
      throw error;
    }
  }

  return {
    async profile(named) {
      const account = await find(named);
      if (account !== null) await profiles.renew(account);
    },
    async badges(named) {
      const account = await find(named);
      if (account === null) return;
      // Both are waited for: that one source fails says nothing of the other. Badges that are not known then stay so.
      await together([profiles.renew(account), badges.collectionsOf(account, { fresh: true })]);
    },
  };
}
