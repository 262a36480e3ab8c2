import type { ResponseOf } from '../../api/request.ts';

/** How an account relates to the centre, or to the viewer if there is one, which follows it (out) or is followed by it (in). */
export type Relation = 'mutual' | 'out' | 'in' | 'none' | 'viewer';

export interface Node {
  readonly address: string;
  readonly name: string;
  readonly avatar: string;
  readonly followers: number;
  readonly relation: Relation;
  /** Whether it follows the centre. */
  readonly isFollower: boolean;
  /** Whether it is in the top8 of the centre. */
  readonly isTop8: boolean;
}

/** Between two nodes, by index. If it is mutual, the order means nothing. */
export interface Edge {
  readonly source: number;
  readonly target: number;
  readonly isMutual: boolean;
}

export interface Neighbourhood {
  /** The centre is the first. */
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** The account that the relations are about, as the user has named it; empty for the centre. */
  readonly viewer: string;
}

export function neighbourhoodOf(
  accounts: ResponseOf<'/accounts'>,
  { edges }: ResponseOf<'/edges/among'>,
  viewer: string,
): Neighbourhood {
  const known = accounts.filter((account) => account !== null);
  const centre = known[0]?.address;
  const follows = edges.filter(({ relation }) => relation === 'follow');
  const pairs = new Map(follows.map((edge) => [`${edge.source} ${edge.target}`, edge]));
  const nodes = known.map(({ address, name, avatar, followers_count, state, follower_state }): Node => {
    const out = pairs.get(`${centre} ${address}`);
    const isFollower = pairs.has(`${address} ${centre}`);
    return {
      address,
      name: name ?? '',
      avatar: avatar ?? '',
      followers: followers_count,
      relation: isNamed(viewer, address, name)
        ? 'viewer'
        : relationOf(state?.follow ?? out !== undefined, follower_state?.follow ?? isFollower),
      isFollower,
      isTop8: out?.tags.includes('top8') ?? false,
    };
  });
  const indexes = new Map(nodes.map(({ address }, index) => [address, index]));
  return {
    nodes,
    viewer,
    edges: follows.flatMap(({ source, target }) => {
      const isMutual = pairs.has(`${target} ${source}`);
      const [from, to] = [indexes.get(source), indexes.get(target)];
      // A mutual edge is in the answer twice.
      if (from === undefined || to === undefined || from === to || (isMutual && from > to)) return [];
      return [{ source: from, target: to, isMutual }];
    }),
  };
}

const isNamed = (text: string, address: string, name: string | null): boolean =>
  text !== '' && [address, name].includes(text.toLowerCase());

function relationOf(isOut: boolean, isIn: boolean): Relation {
  if (isOut) return isIn ? 'mutual' : 'out';
  return isIn ? 'in' : 'none';
}
