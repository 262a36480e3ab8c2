import { type DemoOptions, LAST_SCRIPTED, TOP_ACCOUNT } from './accounts.ts';
import { createRandom, mix, mixFraction, type Random, streamOf } from './random.ts';

/** Share of accounts that follow few others or none. */
const LIGHT_SHARE = 0.25;
const LIGHT_DEGREES = 6;
/** The out-degree of the others has a Pareto distribution: mostly dozens, sometimes hundreds. */
const PARETO_MINIMUM = 14;
const PARETO_EXPONENT = 1.75;
const MAX_DEGREE = 3000;
const TOP_DEGREE = 60;

/** Each account has this many friends, which are likely to follow back. */
const FRIENDS = 16;
const FRIEND_CHANCE = 0.55;

/** Up to this rank, popularity is in order of age; beyond it, the two are unrelated. */
const POPULAR_HEAD = 40;
/** A prime larger than any number of accounts, so that multiplication by it is a permutation. */
const PERMUTING_PRIME = 7_368_787;

/** Who follows whom, in which order. Stateless: the choices of an account are drawn from the seed on every call. */
export function createFollows({ accounts, seed }: DemoOptions) {
  const degrees = streamOf(seed, 'degree');
  const fans = streamOf(seed, 'fan');
  const targets = streamOf(seed, 'target');
  const friends = streamOf(seed, 'friend');
  const pickByPopularity = createPopularityPick(accounts, mix(targets, 1));
  // In a small graph a larger share follows the top account, so that its pages are not empty.
  const fanShare = Math.min(0.5, 0.05 * Math.max(1, 10_000 / accounts) ** 0.7);
  const maxDegree = Math.min(MAX_DEGREE, Math.floor(accounts / 4));

  function isFan(account: number): boolean {
    return account > LAST_SCRIPTED && mixFraction(fans, account) < fanShare;
  }

  /** Symmetric: friend `k` of friend `k` is this account. */
  function friendOf(account: number, k: number): number {
    return ((mix(friends, k) % accounts) - account + accounts) % accounts;
  }

  return {
    /** Number of accounts that this one follows in the end. */
    degreeOf(account: number): number {
      if (account === TOP_ACCOUNT) return Math.min(TOP_DEGREE, maxDegree);
      const random = createRandom(mix(degrees, account));
      const degree =
        random() < LIGHT_SHARE ? random() * LIGHT_DEGREES : PARETO_MINIMUM * (1 - random()) ** (-1 / PARETO_EXPONENT);
      return Math.min(maxDegree, Math.floor(degree));
    },

    /** The first `count` distinct accounts that this one follows, in order. */
    targetsOf(account: number, count: number): number[] {
      const chosen = new Set<number>();
      if (count > 0 && isFan(account)) chosen.add(TOP_ACCOUNT);
      const random = createRandom(mix(targets, account));
      let friend = 0;
      while (chosen.size < count) {
        const asFriend = friend < FRIENDS && random() < FRIEND_CHANCE;
        const target = asFriend ? friendOf(account, friend++) : pickByPopularity(random);
        if (target === account || target === TOP_ACCOUNT) continue;
        // The top account follows only its own followers, which gives mutuals.
        if (account === TOP_ACCOUNT && !isFan(target)) continue;
        chosen.add(target);
      }
      return [...chosen];
    },
  };
}

/**
 * Picks an account other than the top account. Rank r has a weight of 1 / (r + flatness): Zipf's law with a flattened
 * head, so that no other account is as popular.
 */
function createPopularityPick(accounts: number, shift: number): (random: Random) => number {
  const flatness = Math.min(100, Math.max(30, accounts / 30));
  const logarithm = Math.log((accounts - 1 + flatness) / flatness);
  const tail = accounts - POPULAR_HEAD;
  return (random) => {
    const rank = 1 + Math.floor(flatness * Math.expm1(random() * logarithm));
    if (rank < POPULAR_HEAD) return rank;
    return POPULAR_HEAD + (((rank - POPULAR_HEAD) * PERMUTING_PRIME + shift) % tail);
  };
}
