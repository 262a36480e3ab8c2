import { type Hex, textToHex } from '../protocol/hex.ts';
import { choose, mix, mixFraction, streamOf } from './random.ts';

const TAGGED_SHARE = 0.08;

/** Not normalised: indexers must trim, drop NULs and lower-case. Repetition is the weight. */
const TAGS = [
  ...['top8', 'top8', 'top8', 'top8', 'top8', 'TOP8', 'mute', 'mute', 'mute', 'block', 'block', 'Block'],
  ...['gm', 'frens', 'Builders', '  irl  ', '🔥', '🦄 Frens', 'ENS', 'family', 'artist', 'dao\0\0', 'Œuvre', '茶'],
].map(textToHex);

/** The tag of the `nth` follow of an account; undefined for most. */
export function createTagOf(seed: number): (account: number, nth: number) => Hex | undefined {
  const tags = streamOf(seed, 'tag');
  return (account, nth) => {
    const fraction = mixFraction(mix(tags, account), nth);
    return fraction < TAGGED_SHARE ? choose(TAGS, fraction / TAGGED_SHARE) : undefined;
  };
}

export const LATER_TAGS = ['top8', 'gm', 'Collab', ' wagmi '].map(textToHex);
