import type { Params } from '@kith-efp/client';
import { lookup, type Request, type ResponseOf } from './request.ts';

/** What edges are about: an account, by address or name, or the own records of a list. */
export interface Subject {
  readonly kind: 'account' | 'list';
  readonly id: string;
}

/** The last part of the path of lookups that exist by account and by list. */
type Question = 'tags' | 'taggedAs';
type PagedQuestion =
  | 'followers'
  | 'allFollowers'
  | 'searchFollowers'
  | 'following'
  | 'allFollowing'
  | 'mutuals'
  | 'searchFollowing';

type ByAccount<Q extends Question | PagedQuestion> = `/users/{addressOrENS}/${Q}`;
type Parameters<Q extends Question> = Omit<Params<ByAccount<Q>>, 'addressOrENS'>;

/** A lookup by account or by list. The parameters of both are the same, apart from that of the path. */
export function lookupOf<Q extends Question>(
  subject: Subject,
  question: Q,
  parameters: Parameters<Q>,
): Request<ResponseOf<ByAccount<Q>>> {
  return lookup(pathOf(subject, question), { ...parameters, ...idOf(subject) } as never);
}

/** Safe: only words are accepted for which both paths exist, but for `mutuals`, which no page asks of a list. */
export function pathOf<Q extends Question | PagedQuestion>({ kind }: Subject, question: Q): ByAccount<Q> {
  return ((kind === 'account' ? '/users/{addressOrENS}/' : '/lists/{token_id}/') + question) as ByAccount<Q>;
}

export const idOf = ({ kind, id }: Subject) => (kind === 'account' ? { addressOrENS: id } : { token_id: id });

export type Details = ResponseOf<'/users/{addressOrENS}/details'>;
export type Followers = ResponseOf<'/users/{addressOrENS}/followers'>;
export type Following = ResponseOf<'/users/{addressOrENS}/following'>;
export type Mutuals = ResponseOf<'/users/{addressOrENS}/mutuals'>;
export type EdgeSort = NonNullable<Params<'/users/{addressOrENS}/followers'>['sort']>;
