import { asObject, fail, parseOptionalText, parseWholeNumber } from '../../protocol/bad-input.ts';
import { parseAddress } from '../../protocol/hex.ts';
import { normaliseName } from '../normalise-name.ts';
import { type FetchedProfile, LONGEST_TEXT, TEXT_TOO_LONG } from '../profile-source.ts';

type Texts = Record<string, string>;
type Errors = [key: string, error: string][];

/** Some errors repeat the record that they are about. */
const LONGEST_ERROR = 300;

/** Keys of chains whose addresses mean the same in any letter case. */
const EVM_CHAINS: ReadonlySet<string> = new Set(['eth', 'op', 'base', 'arb1', 'matic', 'gno']);
/** Chains that the server calls otherwise. */
const CHAIN_KEYS: ReadonlyMap<string, string> = new Map([
  ['optimism', 'op'],
  ['SLIP44:8453', 'base'],
  ['arbitrum', 'arb1'],
  ['polygon', 'matic'],
  ['gnosis', 'gno'],
]);

/** The profile that the server has found for an account. */
export function parseAccount(answer: Readonly<Record<string, unknown>>, account: string, now: number): FetchedProfile {
  if (parseAddress(answer.address) !== account) return fail('address', account, answer.address);
  const { name } = answer;
  if (typeof name !== 'string') return fail('name', 'text', name);
  // A server whose clock is ahead must not outdate the answers that come after its own.
  const fresh = Math.min(parseWholeNumber('fresh', answer.fresh, 'a time in Unix milliseconds'), now);
  const tooLong: Errors = [];
  const profile = {
    name,
    display: parseOptionalText('display', answer.display),
    resolver: parseOptionalText('resolver', answer.resolver).toLowerCase(),
    records: parseTexts('records', answer.records, tooLong),
    chains: parseChains(parseTexts('chains', answer.chains, tooLong)),
    images: { avatar: parseOptionalText('avatar', answer.avatar), header: parseOptionalText('header', answer.header) },
    errors: { ...parseErrors(answer.errors), ...renamed(tooLong) },
    fresh,
  };
  // What its reverse record says is then no name, whatever it leads to.
  return normaliseName(name) === name ? profile : namelessProfile(fresh);
}

/** Says that an account was known to have no name at that time. */
export function namelessProfile(fresh: number): FetchedProfile {
  return {
    name: '',
    display: '',
    resolver: '',
    records: {},
    chains: {},
    images: { avatar: '', header: '' },
    errors: {},
    fresh,
  };
}

/** Those that have a value. What is too long to keep is told in `tooLong` instead. */
function parseTexts(field: string, value: unknown, tooLong: Errors): Texts {
  const kept: [string, string][] = [];
  for (const [key, given] of Object.entries(asObject(value, field))) {
    const text = parseOptionalText(`${field}.${key}`, given);
    if (text.length > LONGEST_TEXT) tooLong.push([`${field}.${key}`, TEXT_TOO_LONG]);
    else if (text !== '') kept.push([key, text]);
  }
  return Object.fromEntries(kept);
}

function parseChains(chains: Texts): Texts {
  const known = Object.entries(chains).map(([told, text]) => {
    const key = CHAIN_KEYS.get(told) ?? told;
    return [key, EVM_CHAINS.has(key) ? text.toLowerCase() : text];
  });
  return Object.fromEntries(known);
}

function parseErrors(value: unknown): Texts {
  return renamed(
    Object.entries(asObject(value, 'errors')).map(([key, given]) => [
      key,
      parseOptionalText(`errors.${key}`, given).slice(0, LONGEST_ERROR),
    ]),
  );
}

/** By our own keys. An image is made from the record of the same key, and is known by it here. */
function renamed(errors: Errors): Texts {
  const known = errors.map(([key, error]) => {
    const [, chain] = /^chains\.(.*)$/.exec(key) ?? [];
    if (chain !== undefined) return [`chains.${CHAIN_KEYS.get(chain) ?? chain}`, error];
    return [key.replace(/^image\./, 'records.'), error];
  });
  return Object.fromEntries(known);
}
