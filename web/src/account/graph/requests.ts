import { lookup } from '../../api/request.ts';

/**
 * The accounts that the centre follows and that follow the leader. With the centre as leader these are its mutuals; with
 * another account of the picture as leader they are all edges to it, because the centre follows every account in it.
 */
export function followersOf(leader: string, centre: string) {
  return lookup('/users/{addressOrENS}/commonFollowers', { addressOrENS: centre, leader, limit: 1000 });
}

export function top8Of(centre: string) {
  return lookup('/users/{addressOrENS}/following', {
    addressOrENS: centre,
    tags: 'top8',
    limit: 20,
    include: 'ens',
  });
}

/** One request for the follower counts, instead of one for each account. */
export function mostFollowed() {
  return lookup('/leaderboard/ranked', { sort: 'followers', limit: 1000 });
}
