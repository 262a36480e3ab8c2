import type { Request } from '../api/request.ts';
import { type Followers, type Following, lookupOf, type Subject } from '../api/subject.ts';
import type { PageSource } from '../api/use-pages.ts';
import type { EdgeQuery } from './edge-query.ts';

/** An account that follows or is followed, and what is known about the edge. */
export interface Edge {
  readonly address: string;
  readonly name: string | undefined;
  readonly avatar: string | undefined;
  readonly states: readonly EdgeState[];
  /** Without block and mute, which are states. */
  readonly tags: readonly string[];
  /** When the record last changed; the API has it for followers only. */
  readonly time: string | undefined;
}

interface EdgeState {
  readonly label: string;
  readonly kind: 'good' | 'warm' | 'bad';
}

export const BLOCK_TAGS: readonly string[] = ['block', 'mute'];

type Page = Partial<Followers & Following>;

/** The pages that a query asks for. A search has no filters. */
export function edgeSource(subject: Subject, { tab, sort, tags, term, isAll }: EdgeQuery): PageSource<Page, Edge> {
  const [plain, all, search] =
    tab === 'followers'
      ? (['followers', 'allFollowers', 'searchFollowers'] as const)
      : (['following', 'allFollowing', 'searchFollowing'] as const);
  return {
    requestOf(offset, limit): Request<Page> {
      if (term !== '') return lookupOf(subject, search, { term, limit, offset });
      const filters = { limit, offset, sort, tags: tags.join(','), include: 'ens' };
      return lookupOf(subject, isAll ? all : plain, filters);
    },
    keyOf: ({ address }) => address,
    entriesIn: ({ followers = [], following = [] }) => [...followers.map(ofFollower), ...following.map(ofFollowed)],
  };
}

function ofFollower(follower: Followers['followers'][number]): Edge {
  const states: EdgeState[] = [];
  const isFollow = !follower.tags.some((tag) => BLOCK_TAGS.includes(tag));
  if (follower.tags.includes('block')) states.push({ label: 'blocks this account', kind: 'bad' });
  else if (!isFollow) states.push({ label: 'mutes this account', kind: 'warm' });
  if (follower.is_following) states.push({ label: isFollow ? 'followed back' : 'followed', kind: 'good' });
  if (follower.is_blocked) states.push({ label: 'blocked', kind: 'bad' });
  if (follower.is_muted) states.push({ label: 'muted', kind: 'warm' });
  return { ...common(follower), states, time: follower.updated_at };
}

function ofFollowed(followed: Following['following'][number]): Edge {
  const states: EdgeState[] = [];
  if (followed.tags.includes('block')) states.push({ label: 'blocked', kind: 'bad' });
  else if (followed.tags.includes('mute')) states.push({ label: 'muted', kind: 'warm' });
  return { ...common(followed), states, time: undefined };
}

function common({ address, ens, tags }: Followers['followers'][number] | Following['following'][number]) {
  return {
    address,
    name: ens?.name,
    avatar: ens?.avatar,
    tags: tags.filter((tag) => !BLOCK_TAGS.includes(tag)),
  };
}
