import type { DemoOptions } from './demo-options.ts';
import { choose, mix, mixFraction, streamOf } from './random.ts';
import { EMOJI, FIRST_WORDS, SECOND_WORDS, WORDS } from './words.ts';

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
