import type { Followers, Following } from '../../api/subject.ts';

const MAX_ADDED = 20;
/** As many as one request for the edges among accounts takes. */
export const MAX_MEMBERS = 200;

/** The accounts around the centre: its top8, then its mutuals, then the others that it follows or that follow it. */
export function chooseNeighbours({ followers }: Followers, { following }: Following, count: number): readonly string[] {
  const top8 = following.filter(({ tags }) => tags.includes('top8')).map(addressOf);
  const mutuals = followers.filter((follower) => follower.is_following).map(addressOf);
  const others = following.flatMap(({ address }, index) => [
    address,
    ...followers.slice(index, index + 1).map(addressOf),
  ]);
  const rest = followers.slice(following.length).map(addressOf);
  return [...new Set([...top8, ...mutuals, ...others, ...rest])].slice(0, count);
}

/** The most followed accounts that an account follows and that are not members. */
export function chooseMore({ following }: Following, members: readonly string[]): readonly string[] {
  return following
    .map(addressOf)
    .filter((address) => !members.includes(address))
    .slice(0, MAX_ADDED);
}

const addressOf = ({ address }: { readonly address: string }): string => address;
