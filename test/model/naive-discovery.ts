import { stats } from './naive-account.ts';
import { countsOf } from './naive-counts.ts';
import { followsOf } from './naive-following.ts';
import { listExists, presentRecords } from './naive-graph.ts';
import { ranksOf } from './naive-leaderboard.ts';
import { byLatest, byPopularity } from './naive-page.ts';
import { cardOf, compareText, ensOf, type NaiveView, popularityOf, userSubject } from './naive-view.ts';

interface Page {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

const DISCOVER_EDGES = 1_000;
const RECOMMENDED_EDGES = 100;

export function graphStats({ graph: { state } }: NaiveView) {
  const records = [...state.records.keys()].flatMap((slot) => presentRecords(state, slot));
  return {
    stats: {
      address_count: String(new Set(records.map(({ address }) => address)).size),
      list_count: String([...state.owners.keys()].filter((id) => listExists(state, id)).length),
      list_op_count: String(state.ops.length),
      user_count: String(state.minters.size),
    },
  };
}

/** The accounts that were followed last, each once. */
export function discover(view: NaiveView, { limit = 10, offset = 0 }: Page = {}) {
  const { edges } = view.graph;
  const followed = edges
    .filter(({ relation }) => relation === 'follow')
    .sort((a, b) => b.time - a.time || compareText(a.to, b.to) || compareText(a.from, b.from))
    .slice(0, DISCOVER_EDGES)
    .map(({ to }) => to);
  const latestFollows = [...new Set(followed)].slice(offset, offset + limit).map((address) => {
    const counts = countsOf(address, edges);
    return { ...cardOf(view, address), followers: String(counts.followers), following: String(counts.following) };
  });
  return { latestFollows };
}

export function recommended(view: NaiveView, account: string, query: Page = {}) {
  return { recommended: recommendedPage(view, account, query).map((address) => cardOf(view, address)) };
}

export function recommendedDetails(view: NaiveView, account: string, query: Page = {}) {
  return {
    recommended: recommendedPage(view, account, query).map((address) => ({
      address,
      ens: ensOf(view, address),
      stats: stats(view, userSubject(view, address)),
      ranks: ranksOf(view, address),
    })),
  };
}

function recommendedPage(view: NaiveView, account: string, { limit = 10, offset = 0 }: Page): string[] {
  return recommendedAccounts(view, account).slice(offset, offset + limit);
}

/** Accounts that the followed accounts follow; if there are none, the leaderboard. */
function recommendedAccounts(view: NaiveView, account: string): string[] {
  const { slot } = userSubject(view, account);
  const held = slot === null ? [] : presentRecords(view.graph.state, slot).map(({ address }) => address);
  const isNew = (address: string) => address !== account && !held.includes(address);
  const votes = new Map<string, number>();
  for (const followed of newestFollows(view, account)) {
    for (const candidate of newestFollows(view, followed).filter(isNew)) {
      votes.set(candidate, (votes.get(candidate) ?? 0) + 1);
    }
  }
  if (votes.size === 0) {
    const members = [...view.members.keys()].filter(isNew).map((address) => ({ address }));
    return members.sort(byPopularity(view)).map(({ address }) => address);
  }
  return [...votes]
    .sort(
      ([a, votesForA], [b, votesForB]) =>
        votesForB - votesForA || popularityOf(view, b) - popularityOf(view, a) || compareText(a, b),
    )
    .map(([address]) => address);
}

function newestFollows(view: NaiveView, account: string): string[] {
  return followsOf(view, userSubject(view, account))
    .sort(byLatest)
    .slice(0, RECOMMENDED_EDGES)
    .map(({ address }) => address);
}

/** Accounts that the account follows and that follow the leader. */
export function commonFollowers(
  view: NaiveView,
  account: string,
  leader: string,
  { limit = 10, offset = 0 }: Page = {},
) {
  const follows = view.graph.edges.filter(({ relation }) => relation === 'follow');
  const mutuals = (address: string) => view.members.get(address)?.mutuals ?? -1;
  const common = follows
    .filter(({ from }) => from === account)
    .map(({ to }) => to)
    .filter((address) => follows.some(({ from, to }) => from === address && to === leader))
    .sort((a, b) => mutuals(b) - mutuals(a) || compareText(a, b));
  const results = common.slice(offset, offset + limit).map((address) => ({
    ...cardOf(view, address),
    mutuals_rank: ranksOf(view, address).mutuals_rank,
  }));
  return { results, length: common.length };
}
