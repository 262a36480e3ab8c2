import { recordsOf } from './naive-following.ts';
import { type NaiveSubject, type NaiveView, resolveAccount } from './naive-view.ts';

/** What the edge of the follower to the account is. */
export function followerState({ graph: { edges } }: NaiveView, account: string, follower: string) {
  return stateOf(edges.find((edge) => edge.from === follower && edge.to === account));
}

/** What the edges between two accounts are. */
export function relationship(view: NaiveView, source: string, target: string) {
  const [own, theirs] = [followerState(view, target, source), followerState(view, source, target)];
  return {
    source,
    target,
    state: {
      is_following: own.follow,
      is_followed_by: theirs.follow,
      is_blocked: own.block,
      is_blocked_by: theirs.block,
      is_muted: own.mute,
      is_muted_by: theirs.mute,
    },
  };
}

/** Whether the address is a record of the slot, and as what. */
export function buttonState(view: NaiveView, subject: NaiveSubject, address: string) {
  return stateOf(recordsOf(view, subject).find((record) => record.address === address));
}

export function buttonStateBatch(
  view: NaiveView,
  tokenId: string,
  subject: NaiveSubject,
  given: readonly (string | null)[],
) {
  return given.map((text) => {
    const address = text === null ? null : resolveAccount(view, text);
    if (address === null) return { token_id: tokenId, address: text, state: null };
    return { token_id: tokenId, address, state: buttonState(view, subject, address) };
  });
}

function stateOf(edge: { readonly relation: string } | undefined) {
  return {
    follow: edge?.relation === 'follow',
    block: edge?.relation === 'block',
    mute: edge?.relation === 'mute',
  };
}
