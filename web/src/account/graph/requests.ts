import { batch, lookup } from '../../api/request.ts';

const MOST_FOLLOWED = { sort: 'followers', limit: 200 } as const;

export const followersOf = (address: string) =>
  lookup('/users/{addressOrENS}/followers', { addressOrENS: address, ...MOST_FOLLOWED });

export const followingOf = (address: string) =>
  lookup('/users/{addressOrENS}/following', { addressOrENS: address, ...MOST_FOLLOWED });

export const edgesAmong = (addresses: readonly string[]) => batch('/edges/among', {}, addresses);

/** With a viewer, also how the accounts and the viewer relate. */
export const accountsOf = (addresses: readonly string[], viewer: string) =>
  batch('/accounts', viewer === '' ? {} : { viewer }, addresses);
