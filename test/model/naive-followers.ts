import { byLatest, type PageQuery, pageOf, type SearchQuery, searchOf, withEns } from './naive-page.ts';
import { type NaiveView, shownTags } from './naive-view.ts';

export interface FollowersQuery extends PageQuery {
  /** As the lists endpoint does: leaves out followers that the account blocks or mutes. */
  readonly excludeHidden?: boolean | undefined;
}

export function followers(view: NaiveView, account: string, query: FollowersQuery = {}) {
  const rows = visibleFollowers(view, account, query.excludeHidden ?? false);
  return { followers: pageOf(view, rows, query).map((row) => withEns(view, followerEntry(row), query.include)) };
}

/** The followers that the account follows. */
export function mutuals(view: NaiveView, account: string, query: PageQuery = {}) {
  const rows = visibleFollowers(view, account, false).filter(({ back }) => back === 'follow');
  return { mutuals: pageOf(view, rows, query).map((row) => withEns(view, followerEntry(row), query.include)) };
}

/** Every edge to the account, whatever its relation. */
export function allFollowers(view: NaiveView, account: string, query: PageQuery = {}) {
  const page = pageOf(view, edgesTo(view, account), query);
  return { followers: page.map((row) => withEns(view, followerEntry(row), query.include)) };
}

export function searchFollowers(
  view: NaiveView,
  account: string,
  query: SearchQuery & Pick<FollowersQuery, 'excludeHidden'>,
) {
  const found = searchOf(view, visibleFollowers(view, account, query.excludeHidden ?? false), query);
  return { followers: found.map((row) => withEns(view, followerEntry(row), 'ens')) };
}

type Row = ReturnType<typeof edgesTo>[number];

/** `back` is the account's own relation to the other one. */
function edgesTo({ graph: { edges, primaryLists } }: NaiveView, account: string) {
  return edges
    .filter((edge) => edge.to === account)
    .map(({ from, relation, tags, time }) => {
      const back = edges.find((other) => other.from === account && other.to === from)?.relation;
      return { address: from, list: String(primaryLists.get(from)), relation, tags, time, back };
    });
}

function visibleFollowers(view: NaiveView, account: string, excludeHidden: boolean): Row[] {
  return edgesTo(view, account)
    .filter(({ relation }) => relation === 'follow')
    .filter(({ back }) => !(excludeHidden && (back === 'block' || back === 'mute')));
}

function followerEntry({ list, address, tags, back, time }: Row) {
  return {
    svc_list_nft_token_id: list,
    efp_list_nft_token_id: list,
    address,
    ...shownTags(tags),
    is_following: back === 'follow',
    is_blocked: back === 'block',
    is_muted: back === 'mute',
    updated_at: new Date(time * 1000).toISOString(),
  };
}

/** The other accounts of the edges to or from the account that have the tag. */
export function relationships(
  { graph: { edges } }: NaiveView,
  account: string,
  query: { tag: string; direction: 'incoming' | 'outgoing'; limit?: number; offset?: number },
) {
  const { tag, direction, limit = 100, offset = 0 } = query;
  const [own, other] = direction === 'incoming' ? (['to', 'from'] as const) : (['from', 'to'] as const);
  const found = edges
    .filter((edge) => edge[own] === account && edge.tags.includes(tag))
    .map((edge) => ({ address: edge[other], tags: [...edge.tags], time: edge.time }))
    .sort(byLatest)
    .slice(offset, offset + limit)
    .map(({ address, tags }) => ({ address, ...shownTags(tags) }));
  return { direction, tag, relationships: found };
}
