import type { Address } from '../protocol/hex.ts';
import { choose, mix, mixFraction, randomDigits, streamOf } from './random.ts';

export interface DemoOptions {
  readonly accounts: number;
  readonly seed: number;
  /** End of the timeline, in Unix seconds. */
  readonly now: number;
  /** Where the service is reached that draws the pictures; by default, their URLs are paths. */
  readonly pictures?: string;
}

/** The most popular account, around which the script is written. */
export const TOP_ACCOUNT = 0;
/** Accounts 1 to this one act in the script, and follow the top account only there. */
export const LAST_SCRIPTED = 15;

export function addressOf(seed: number, account: number): Address {
  return `0x${randomDigits(mix(streamOf(seed, 'address'), account), 5)}`;
}

/** Two lists of 64 words. No two pairs give the same text when concatenated. */
export const FIRST_WORDS: readonly string[] = wordsOf(`
  amber azure bold brave bright calm clever cosmic crimson crisp curious dapper daring dizzy dusty eager early
  electric fancy feral fluffy frosty gentle giddy golden grumpy happy hidden humble icy indigo jazzy jolly keen lazy
  lively lucky lunar mellow merry mighty misty neon nimble noble odd pastel patient plucky proud quick quiet rapid
  rusty salty shiny silent sleepy snowy solar spicy sunny velvet witty
`);

export const SECOND_WORDS: readonly string[] = wordsOf(`
  badger beacon bear bison brook cactus canyon cedar cloud comet coral cricket dolphin dragon ember falcon fern finch
  fjord forest fox garden gecko glacier harbor heron island ivy koala lagoon lantern lemon lynx mango maple meadow
  meteor moth nebula newt ocean orca otter owl panda pebble pine planet puffin quokka raven reef river robin sparrow
  spruce thistle tiger tulip valley walrus willow wolf zephyr
`);

const EMOJI: readonly string[] = ['🦊', '🐙', '🌵', '🚀', '🔥', '🍄', '🪐', '🐝', '🦄', '🌊', '🍋', '👾'];

export const WORDS = 64;

function wordsOf(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The top account and the accounts of the script. */
const FIXED_NAMES: readonly string[] = [
  ...['ada.eth', 'juniper.eth', 'kestrel.eth', 'marigold.eth', 'tinker.eth', 'saffron.eth'],
  ...['nimbus.eth', 'hazel.eth', 'cobalt.eth', 'fennel.eth', 'quill.eth', 'bramble.eth'],
  ...['orbit.eth', 'pixel🐙.eth', 'dev.saffron.eth', '0451.eth'],
];

const NAMED_SHARE = 0.7;
/** Coprime to the number of word pairs, so that multiplication by it is a permutation. */
const PERMUTING_PRIME = 7_368_787;

/** Each style keeps both words and the number, so that no two names are equal. */
const STYLES: readonly ((a: string, b: string, number: string, fraction: number) => string)[] = [
  (a, b, number) => `${a}${b}${number}.eth`,
  (a, b, number) => `${a}${b}${number}.eth`,
  (a, b, number) => `${a}${b}${number}.eth`,
  (a, b, number) => `${a}-${b}${number}.eth`,
  (a, b, number) => `${a}-${b}${number}.eth`,
  (a, b, number, fraction) => `${a}${choose(EMOJI, fraction)}${b}${number}.eth`,
  (a, b, number) => `${a}${number}.${b}.eth`,
  (a, b, number) => `${a}${b}${number}.base.eth`,
  (a, b, number) => `${a}${b}${number}.xyz`,
];
const NUMERIC_SHARE = 0.06;

/** Deterministic for the same options; undefined if the account has no name. */
export function nameOf({ accounts, seed }: DemoOptions, account: number): string | undefined {
  const fixed = FIXED_NAMES[account];
  if (fixed !== undefined) return fixed;
  const stream = streamOf(seed, 'name');
  if (mixFraction(stream, account) >= NAMED_SHARE) return undefined;
  const draw = mix(stream, account);
  const style = mixFraction(draw, 1);
  if (style < NUMERIC_SHARE) return `${1000 + account}.eth`;

  // A unique code per account: a pair of words, and a number if there are more accounts than pairs.
  const pairs = WORDS * WORDS;
  const codes = pairs * Math.ceil(accounts / pairs);
  const code = (account * PERMUTING_PRIME + (stream % codes)) % codes;
  const a = FIRST_WORDS[code % WORDS] ?? '';
  const b = SECOND_WORDS[Math.floor(code / WORDS) % WORDS] ?? '';
  const round = Math.floor(code / pairs);
  return choose(STYLES, mixFraction(draw, 2))(a, b, round === 0 ? '' : String(round), mixFraction(draw, 3));
}
