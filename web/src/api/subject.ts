import { lookup, type Request, type ResponseOf } from './request.ts';

/** What an account page is about: an account, by address or name, or a list. */
export type Subject =
  | { readonly kind: 'account'; readonly id: string }
  | { readonly kind: 'list'; readonly id: string };

export interface EdgeParameters {
  readonly limit: number;
  readonly offset: number;
  readonly sort?: 'latest' | 'earliest' | 'followers';
  readonly tags?: string;
  readonly include?: 'ens';
}

export interface EdgeSearchParameters {
  readonly term: string;
  readonly limit: number;
  readonly offset: number;
}

/** The requests that can be made by account and by list. */
export function requestsOf(subject: Subject) {
  const { kind, id } = subject;
  const of = <A, L>(
    byAccount: (user: { addressOrENS: string }) => Request<A>,
    byList: (list: { token_id: string }) => Request<L>,
  ) => (kind === 'account' ? byAccount({ addressOrENS: id }) : byList({ token_id: id }));
  return {
    details: (): Request<Details> =>
      of(
        (user) => lookup('/users/{addressOrENS}/details', user),
        (list) => lookup('/lists/{token_id}/details', list),
      ),
    stats: () =>
      of(
        (user) => lookup('/users/{addressOrENS}/stats', user),
        (list) => lookup('/lists/{token_id}/stats', list),
      ),
    badges: () =>
      of(
        (user) => lookup('/users/{addressOrENS}/badges', user),
        (list) => lookup('/lists/{token_id}/badges', list),
      ),
    tags: () =>
      of(
        (user) => lookup('/users/{addressOrENS}/tags', user),
        (list) => lookup('/lists/{token_id}/tags', list),
      ),
    taggedAs: () =>
      of(
        (user) => lookup('/users/{addressOrENS}/taggedAs', user),
        (list) => lookup('/lists/{token_id}/taggedAs', list),
      ),
    followers: (page: EdgeParameters): Request<Followers> =>
      of(
        (user) => lookup('/users/{addressOrENS}/followers', { ...user, ...page }),
        (list) => lookup('/lists/{token_id}/followers', { ...list, ...page }),
      ),
    allFollowers: (page: EdgeParameters): Request<Followers> =>
      of(
        (user) => lookup('/users/{addressOrENS}/allFollowers', { ...user, ...page }),
        (list) => lookup('/lists/{token_id}/allFollowers', { ...list, ...page }),
      ),
    searchFollowers: (page: EdgeSearchParameters): Request<Followers> =>
      of(
        (user) => lookup('/users/{addressOrENS}/searchFollowers', { ...user, ...page }),
        (list) => lookup('/lists/{token_id}/searchFollowers', { ...list, ...page }),
      ),
    following: (page: EdgeParameters): Request<Following> =>
      of(
        (user) => lookup('/users/{addressOrENS}/following', { ...user, ...page }),
        (list) => lookup('/lists/{token_id}/following', { ...list, ...page }),
      ),
    allFollowing: (page: EdgeParameters): Request<Following> =>
      of(
        (user) => lookup('/users/{addressOrENS}/allFollowing', { ...user, ...page }),
        (list) => lookup('/lists/{token_id}/allFollowing', { ...list, ...page }),
      ),
    searchFollowing: (page: EdgeSearchParameters): Request<Following> =>
      of(
        (user) => lookup('/users/{addressOrENS}/searchFollowing', { ...user, ...page }),
        (list) => lookup('/lists/{token_id}/searchFollowing', { ...list, ...page }),
      ),
  };
}

export type Details = ResponseOf<'/users/{addressOrENS}/details'>;
export type Followers = ResponseOf<'/users/{addressOrENS}/followers'>;
export type Following = ResponseOf<'/users/{addressOrENS}/following'>;
