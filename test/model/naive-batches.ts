import { stats } from './naive-account.ts';
import { buttonState, followerState } from './naive-states.ts';
import {
  compareText,
  type NaiveView,
  primaryListOf,
  profileOf,
  resolveAccount,
  shownTags,
  userSubject,
} from './naive-view.ts';

type Given = readonly (string | null)[];

const resolveAll = (view: NaiveView, given: Given) =>
  given.map((text) => (text === null ? null : resolveAccount(view, text)));

/** What a list of accounts shows of each, and how a viewer relates to it. */
export function accounts(view: NaiveView, given: Given, viewer: string | null) {
  return resolveAll(view, given).map((address) => {
    if (address === null) return null;
    const { name, avatar } = profileOf(view, address);
    const states =
      viewer === null
        ? {}
        : {
            state: buttonState(view, userSubject(view, viewer), address),
            follower_state: followerState(view, viewer, address),
          };
    const primary_list = primaryListOf(view, address);
    return { address, name, avatar, ...stats(view, userSubject(view, address)), primary_list, ...states };
  });
}

/** All edges between two of the accounts. */
export function edgesAmong(view: NaiveView, given: Given) {
  const resolved = resolveAll(view, given);
  const edges = view.graph.edges
    .filter(({ from, to }) => resolved.includes(from) && resolved.includes(to))
    .map(({ from, to, relation, tags }) => ({ source: from, target: to, relation, ...shownTags(tags) }))
    .sort((a, b) => compareText(a.source, b.source) || compareText(a.target, b.target));
  return { accounts: resolved, edges };
}

/** What a list is, without its location and its minting. */
export function listFacts({ graph: { state } }: NaiveView, tokenId: string) {
  const id = BigInt(tokenId);
  const slot = state.locations.get(id) ?? null;
  const user = slot === null ? null : (state.users.get(slot) ?? null);
  const named = user === null ? null : (state.primaryNumbers.get(user) ?? null);
  const faultOf = () => {
    if (slot === null) return 'no-storage-location';
    if (user === null) return 'slot-without-user';
    if (named === null) return 'no-primary-list';
    return named === id ? '' : 'other-primary-list';
  };
  return {
    token_id: tokenId,
    owner: state.owners.get(id),
    user: user ?? '',
    manager: (slot === null ? null : state.managers.get(slot)) ?? '',
    is_primary_list: faultOf() === '',
    primary_list_fault: faultOf(),
  };
}
