import { asObject, fail, parseOptionalText, parseWholeNumber } from '../../protocol/bad-input.ts';
import { parseAddress } from '../../protocol/hex.ts';
import type { UnixMs } from '../../protocol/unix-time.ts';
import { normaliseName } from '../normalise-name.ts';
import { withContenthash } from '../profile.ts';
import { type FetchedProfile, MAX_TEXT_LENGTH, TEXT_TOO_LONG } from '../profile-source.ts';

type Texts = Record<string, string>;
type Errors = [key: string, error: string][];

/** Some errors contain the whole record. */
const MAX_ERROR_LENGTH = 300;

/** Chains with case-insensitive addresses. */
const EVM_CHAINS: ReadonlySet<string> = new Set(['eth', 'op', 'base', 'arb1', 'matic', 'gno']);
/** Chain keys of enstate that differ from ours. */
const CHAIN_KEYS: ReadonlyMap<string, string> = new Map([
  ['optimism', 'op'],
  ['SLIP44:8453', 'base'],
  ['arbitrum', 'arb1'],
  ['polygon', 'matic'],
  ['gnosis', 'gno'],
]);

/** Parses the profile of an account. */
export function parseAccount(json: Readonly<Record<string, unknown>>, account: string, now: UnixMs): FetchedProfile {
  if (parseAddress(json.address) !== account) return fail('address', account, json.address);
  const { name } = json;
  if (typeof name !== 'string') return fail('name', 'text', name);
  // Clamp: a server with a fast clock must not make later profiles look stale.
  const fresh = Math.min(parseWholeNumber('fresh', json.fresh, 'a time in Unix milliseconds'), now);
  const tooLong: Errors = [];
  const profile = {
    name,
    display: parseOptionalText('display', json.display),
    resolver: parseOptionalText('resolver', json.resolver).toLowerCase(),
    records: parseTexts('records', withContenthash(json), tooLong),
    chains: parseChains(parseTexts('chains', json.chains, tooLong)),
    images: { avatar: parseOptionalText('avatar', json.avatar), header: parseOptionalText('header', json.header) },
    errors: { ...parseErrors(json.errors), ...renamed(tooLong) },
    fresh,
  };
  // A reverse record that is not normalised is not a valid primary name.
  return normaliseName(name) === name ? profile : namelessProfile(fresh);
}

/** The profile of an account that has no primary name as of `fresh`. */
export function namelessProfile(fresh: UnixMs): FetchedProfile {
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

/** Returns non-empty texts. Adds an error to `tooLong` for each over-long one. */
function parseTexts(field: string, value: unknown, tooLong: Errors): Texts {
  const kept: [string, string][] = [];
  for (const [key, given] of Object.entries(asObject(value, field))) {
    const text = parseOptionalText(`${field}.${key}`, given);
    if (text.length > MAX_TEXT_LENGTH) tooLong.push([`${field}.${key}`, TEXT_TOO_LONG]);
    else if (text !== '') kept.push([key, text]);
  }
  return Object.fromEntries(kept);
}

function parseChains(chains: Texts): Texts {
  const known = Object.entries(chains).map(([name, text]) => {
    const key = CHAIN_KEYS.get(name) ?? name;
    return [key, EVM_CHAINS.has(key) ? text.toLowerCase() : text];
  });
  return Object.fromEntries(known);
}

function parseErrors(value: unknown): Texts {
  return renamed(
    Object.entries(asObject(value, 'errors')).map(([key, given]) => [
      key,
      parseOptionalText(`errors.${key}`, given).slice(0, MAX_ERROR_LENGTH),
    ]),
  );
}

/** Maps error keys to ours. An error of an image becomes an error of its text record. */
function renamed(errors: Errors): Texts {
  const known = errors.map(([key, error]) => {
    const [, chain] = /^chains\.(.*)$/.exec(key) ?? [];
    if (chain !== undefined) return [`chains.${CHAIN_KEYS.get(chain) ?? chain}`, error];
    return [key.replace(/^image\./, 'records.'), error];
  });
  return Object.fromEntries(known);
}
