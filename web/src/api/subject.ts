import type { Params } from '@kith-efp/client';
import { lookup, type Request, type ResponseOf } from './request.ts';

/** What an account page is about: an account, by address or name, or a list. */
export interface Subject {
  readonly kind: 'account' | 'list';
  readonly id: string;
}

/** The last part of the path of lookups that exist by account and by list. */
type Question =
  | 'details'
  | 'stats'
  | 'badges'
  | 'tags'
  | 'taggedAs'
  | 'followers'
  | 'allFollowers'
  | 'searchFollowers'
  | 'following'
  | 'allFollowing'
  | 'searchFollowing';

type ByAccount<Q extends Question> = `/users/{addressOrENS}/${Q}`;
type Parameters<Q extends Question> = Omit<Params<ByAccount<Q>>, 'addressOrENS'>;

/** A lookup by account or by list. The parameters of both are the same, apart from that of the path. */
export function lookupOf<Q extends Question>(
  { kind, id }: Subject,
  question: Q,
  parameters: Parameters<Q>,
): Request<ResponseOf<ByAccount<Q>>> {
  const [path, subject] =
    kind === 'account' ? ['/users/{addressOrENS}/', { addressOrENS: id }] : ['/lists/{token_id}/', { token_id: id }];
  // Safe: `Question` has only words for which both paths exist.
  return lookup((path + question) as ByAccount<Q>, { ...subject, ...parameters } as never);
}

export type Details = ResponseOf<'/users/{addressOrENS}/details'>;
export type Stats = ResponseOf<'/users/{addressOrENS}/stats'>;
export type Followers = ResponseOf<'/users/{addressOrENS}/followers'>;
export type Following = ResponseOf<'/users/{addressOrENS}/following'>;
export type EdgeSort = NonNullable<Params<'/users/{addressOrENS}/followers'>['sort']>;
