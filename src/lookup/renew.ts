import type { BadgeSource } from '../badges/badge-source.ts';
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

/** Has the sources asked again about what a request names. Where they cannot tell, what is known stands. */
export interface Renew {
  profile(named: Named): Promise<void>;
  /** The profile too. */
  badges(named: Named): Promise<void>;
}

export function createRenew({ accountOf, names, profiles, badges }: RenewOptions): Renew {
  const resolve = createResolveAccount(names, { fresh: true });
  const find = (named: Named): Promise<Address> => (named.kind === 'list' ? accountOf(named) : resolve(named));
  return {
    profile: (named) => unlessUnknown(async () => profiles.renew(await find(named))),
    badges: (named) =>
      unlessUnknown(async () => {
        const account = await find(named);
        const asked = [profiles.renew(account), badges.collectionsOf(account, { fresh: true })];
        // Both are waited for: that one source fails says nothing of the other.
        for (const told of await Promise.allSettled(asked)) if (told.status === 'rejected') throw told.reason;
      }),
  };
}

/** A source that fails is a problem of the answer, if what is known is not enough for one. */
async function unlessUnknown(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error;
  }
}
