import { recordsOf } from './naive-following.ts';
import { listExists } from './naive-graph.ts';
import { ranksOf } from './naive-leaderboard.ts';
import { compareText, ensOf, type NaiveSubject, type NaiveView, primaryListOf } from './naive-view.ts';

export function account(view: NaiveView, address: string) {
  return { address, ens: ensOf(view, address) };
}

export function accountOfList(view: NaiveView, tokenId: string, { account: address }: NaiveSubject) {
  const primary = primaryListOf(view, address);
  return { ...account(view, address), is_primary_list: primary === tokenId, primary_list: primary };
}

export function details(view: NaiveView, subject: NaiveSubject) {
  const address = subject.account;
  return {
    ...account(view, address),
    ranks: ranksOf(view, address),
    primary_list: primaryListOf(view, address),
    ...stats(view, subject),
  };
}

export function ens(view: NaiveView, address: string) {
  return { ens: { ...ensOf(view, address), address } };
}

export function stats(view: NaiveView, subject: NaiveSubject) {
  const isFollow = ({ relation }: { relation: string }) => relation === 'follow';
  return {
    followers_count: view.graph.edges.filter((edge) => edge.to === subject.account && isFollow(edge)).length,
    following_count: recordsOf(view, subject).filter(isFollow).length,
  };
}

/** The lists that the account owns, and those whose slot names it as user or manager. */
export function listsOf(view: NaiveView, address: string) {
  const { state } = view.graph;
  const ids = [...state.owners.keys()].filter((id) => {
    if (!listExists(state, id)) return false;
    const slot = state.locations.get(id) ?? '';
    return [state.owners.get(id), state.users.get(slot), state.managers.get(slot)].includes(address);
  });
  const lists = ids.sort((a, b) => (a < b ? -1 : 1)).map(String);
  return { primary_list: primaryListOf(view, address), lists };
}

/** Tags that the account put on the records of the slot. */
export function tags(view: NaiveView, subject: NaiveSubject) {
  return tagSummary(recordsOf(view, subject));
}

/** Tags that other accounts put on the account. */
export function taggedAs({ graph: { edges } }: NaiveView, address: string) {
  return tagSummary(edges.filter(({ to }) => to === address).map((edge) => ({ address: edge.from, tags: edge.tags })));
}

function tagSummary(rows: readonly { address: string; tags: readonly string[] }[]) {
  const taggedAddresses = rows
    .flatMap((row) => row.tags.map((tag) => ({ address: row.address, tag })))
    .sort((a, b) => compareText(a.address, b.address) || compareText(a.tag, b.tag));
  const tagCounts = [...new Set(taggedAddresses.map(({ tag }) => tag))]
    .map((tag) => ({ tag, count: taggedAddresses.filter((other) => other.tag === tag).length }))
    .sort((a, b) => b.count - a.count || compareText(a.tag, b.tag));
  return { tags: tagCounts.map(({ tag }) => tag), tagCounts, taggedAddresses };
}
