import { pagedLookup } from '../api/request.ts';
import { type Followers, type Following, idOf, type Mutuals, pathOf, type Subject } from '../api/subject.ts';
import { PAGE, type PageSource } from '../api/use-pages.ts';
import type { EdgeQuery } from './edge-query.ts';

/** An account that follows or is followed, and what is known about the edge. */
export interface Edge {
  readonly address: string;
  readonly name: string | undefined;
  readonly avatar: string | undefined;
  readonly states: readonly EdgeState[];
  /** Without block and mute, which are states. */
  readonly tags: readonly string[];
  /** The number of tags that the lookup has not shown. */
  readonly moreTags: number;
  /** When the record last changed. */
  readonly time: string;
}

interface EdgeState {
  readonly label: string;
  readonly kind: 'good' | 'warm' | 'bad';
}

export const BLOCK_TAGS: readonly string[] = ['block', 'mute'];

type Page = Partial<Followers & Following & Mutuals>;

export type EdgeTab = 'followers' | 'following' | 'mutuals';

const LOOKUPS = {
  followers: { plain: 'followers', all: 'allFollowers', search: 'searchFollowers' },
  following: { plain: 'following', all: 'allFollowing', search: 'searchFollowing' },
  // Searched among the followers, of which `isIn` leaves out the others.
  mutuals: { plain: 'mutuals', all: 'mutuals', search: 'searchFollowers' },
} as const;

/** The lookup that a query asks for, and its parameters. A search has no filters. */
export function edgeLookup(subject: Subject, tab: EdgeTab, { sort, tags, term, isAll }: EdgeQuery, limit: number) {
  const { plain, all, search } = LOOKUPS[tab];
  const [question, parameters] =
    term === ''
      ? ([isAll ? all : plain, { limit, sort, tags: tags.join(','), include: 'ens' }] as const)
      : ([search, { limit, term }] as const);
  // Safe: the parameters are those of the lookup.
  return { path: pathOf(subject, question), parameters: { ...idOf(subject), ...parameters } as never };
}

/** The pages that a query asks for. */
export function edgeSource(subject: Subject, tab: EdgeTab, query: EdgeQuery): PageSource<Page, Edge> {
  const { path, parameters } = edgeLookup(subject, tab, query, PAGE);
  return {
    first: pagedLookup(path, parameters),
    keyOf: ({ address }) => address,
    ...(query.term === '' && query.sort === 'latest' ? { timeOf: ({ time }) => time } : {}),
    entriesIn: ({ followers = [], following = [], mutuals = followers.filter((follower) => isIn(tab, follower)) }) =>
      tab === 'mutuals' ? mutuals.map(ofMutual) : [...followers.map(ofFollower), ...following.map(ofFollowed)],
  };
}

/** Whether an entry of the lookup is in the list. */
export function isIn(tab: EdgeTab, { is_following }: { readonly is_following?: boolean }): boolean {
  return tab !== 'mutuals' || is_following === true;
}

/** Nobody has to be told of each that it is a mutual. */
const ofMutual = (follower: Followers['followers'][number]): Edge => ({ ...common(follower), states: [] });

function ofFollower(follower: Followers['followers'][number]): Edge {
  const states: EdgeState[] = [];
  const isFollow = !follower.tags.some((tag) => BLOCK_TAGS.includes(tag));
  if (follower.tags.includes('block')) states.push({ label: 'blocks this account', kind: 'bad' });
  else if (!isFollow) states.push({ label: 'mutes this account', kind: 'warm' });
  if (follower.is_following) states.push({ label: isFollow ? 'mutual' : 'followed by this account', kind: 'good' });
  if (follower.is_blocked) states.push({ label: 'blocked by this account', kind: 'bad' });
  if (follower.is_muted) states.push({ label: 'muted by this account', kind: 'warm' });
  return { ...common(follower), states };
}

function ofFollowed(followed: Following['following'][number]): Edge {
  const states: EdgeState[] = [];
  if (followed.tags.includes('block')) states.push({ label: 'blocked', kind: 'bad' });
  else if (followed.tags.includes('mute')) states.push({ label: 'muted', kind: 'warm' });
  return { ...common(followed), states };
}

function common({
  address,
  ens,
  tags,
  more_tags,
  updated_at,
}: Followers['followers'][number] | Following['following'][number]) {
  return {
    address,
    name: ens?.name,
    avatar: ens?.avatar,
    tags: tags.filter((tag) => !BLOCK_TAGS.includes(tag)),
    moreTags: more_tags ?? 0,
    time: updated_at,
  };
}
