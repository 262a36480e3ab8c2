import {
  concatHex,
  encodeAbiParameters,
  encodeErrorResult,
  type Hex,
  numberToHex,
  toFunctionSelector,
  toHex,
} from 'viem';
import { describe, expect, it } from 'vitest';
import { COIN_TYPES, decodeRecords } from '../../../src/names/ens/decode-records.ts';
import { decodeRevert } from '../../../src/names/ens/decode-revert.ts';
import { universalResolverAbi } from '../../../src/names/ens/universal-resolver.ts';
import { TEXT_KEYS, TEXT_TOO_LONG } from '../../../src/names/profile-source.ts';

const KEYS = [...TEXT_KEYS, ...Object.keys(COIN_TYPES), 'contenthash', 'account'];

const results = (values: readonly Hex[]) => encodeAbiParameters([{ type: 'bytes[]' }], [values]);
/** Results in which all but one are empty. */
const only = (key: string, result: Hex) => results(KEYS.map((other) => (other === key ? result : '0x')));
const text = (value: string) => encodeAbiParameters([{ type: 'string' }], [value]);
const bytes = (value: Hex) => encodeAbiParameters([{ type: 'bytes' }], [value]);
const failed = (message: string) =>
  encodeErrorResult({ abi: universalResolverAbi, errorName: 'Error', args: [message] });

const nothing = { records: {}, chains: {}, errors: {}, account: null };

describe('decodeRecords with a text', () => {
  it.each([
    ['there is no result', '0x'],
    ['the text is empty', text('')],
    ['the result is a zero word', binaryOf('')],
    [
      'the resolver does not support texts',
      `${toFunctionSelector('UnsupportedResolverProfile(bytes4)')}59d1d43c${'00'.repeat(28)}`,
    ],
    ['the resolver does not implement texts', toFunctionSelector('NotImplemented()')],
    ['the gateway responded with status 404', encodeHttp(404)],
    ['the result is the selector of the call', toFunctionSelector('text(bytes32,string)')],
    ['the result is the selector of a wildcard call', toFunctionSelector('resolve(bytes,bytes)')],
  ] as [string, Hex][])('returns no record when %s', (_when, result) => {
    expect(decodeRecords(only('url', result))).toEqual(nothing);
  });

  it('accepts a text of the maximum length', () => {
    const longest = '語'.repeat(16_384);
    expect(decodeRecords(only('url', text(longest)))).toEqual({ ...nothing, records: { url: longest } });
  });

  it.each([
    ['the text is one character too long', text('x'.repeat(16_385)), 'longer than 16384 characters'],
    ['the text is far too long', `0x${'00'.repeat(32 * 10_000)}`, 'longer than 16384 characters'],
    ['the gateway failed', encodeHttp(502), 'the gateway responded with HTTP status 502'],
    ['the resolver reverts with a reason', failed('come back later'), 'come back later'],
    ['the resolver reverts with an over-long reason', failed('x'.repeat(1_000)), 'x'.repeat(200)],
    ['the resolver reverts with a blank reason', failed('\n'), 'reverted without a reason'],
    ['the reason contains a URL', failed('see wss://node.example/KEY'), 'see …'],
    ['the error is unknown', '0x12345678', 'reverted with 0x12345678'],
    ['the error concerns another call', encodeNotFound(), 'reverted with ResolverNotFound'],
    ['the result is an OffchainLookup', toFunctionSelector('OffchainLookup()'), /^reverted with 0x/],
    ['the offset is beyond the end', binaryOf('40'), 'cannot be decoded: 32 bytes starting with 0x00000000'],
    [
      'the length exceeds the data',
      `${binaryOf('20')}${'ff'.repeat(32)}`,
      'cannot be decoded: 64 bytes starting with 0x00000000',
    ],
    ['the data is not a multiple of 32 bytes', '0x20', 'cannot be decoded: 1 bytes starting with 0x20'],
  ] as [string, Hex, string | RegExp][])('returns an error when %s', (_when, result, cause) => {
    const message = typeof cause === 'string' ? cause : expect.stringMatching(cause);
    expect(decodeRecords(only('url', result))).toEqual({ ...nothing, errors: { 'records.url': message } });
  });
});

describe('decodeRecords with an address', () => {
  it.each([
    ['eth', '0x'],
    ['op', `0x${'00'.repeat(20)}`],
    ['btc', '0x'],
  ] as [string, Hex][])('returns no address for an empty or zero value on %s', (chain, value) => {
    expect(decodeRecords(only(chain, bytes(value)))).toEqual(nothing);
  });

  it('returns it', () => {
    const value = `0x${'ab'.repeat(20)}` as const;
    expect(decodeRecords(only('base', bytes(value)))).toEqual({ ...nothing, chains: { base: value } });
  });

  it.each([
    ['base', `0x${'ab'.repeat(19)}`, '19 bytes is not an address length'],
    ['gno', `0x${'ab'.repeat(32)}`, '32 bytes is not an address length'],
    ['btc', toHex('1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'), 'the script does not encode an address'],
    ['btc', '0x6a04deadbeef', 'the script does not encode an address'],
    ['btc', `0x0014${'ab'.repeat(19)}`, 'the script does not encode an address'],
    ['btc', `0x0013${'ab'.repeat(19)}`, 'the script does not encode an address'],
    ['btc', '0x5101ab', 'the script does not encode an address'],
    ['btc', `0x76a913${'ab'.repeat(19)}88ac`, 'the script does not encode an address'],
    ['btc', '0x00', 'the script does not encode an address'],
  ] as [string, Hex, string][])('returns an error for the address on %s: %s', (chain, value, cause) => {
    expect(decodeRecords(only(chain, bytes(value)))).toEqual({ ...nothing, errors: { [`chains.${chain}`]: cause } });
  });

  it('accepts a word in place of bytes on Ethereum', () => {
    const account = `0x${'ab'.repeat(20)}` as const;
    const result = encodeAbiParameters([{ type: 'address' }], [account]);
    expect(decodeRecords(only('eth', result))).toEqual({ ...nothing, chains: { eth: account } });
  });

  it('returns no address on Ethereum for a zero word', () => {
    expect(decodeRecords(only('eth', binaryOf('')))).toEqual(nothing);
  });

  it('returns an error if the gateway failed', () => {
    expect(decodeRecords(only('arb1', encodeHttp(429)))).toEqual({
      ...nothing,
      errors: { 'chains.arb1': 'the gateway responded with HTTP status 429' },
    });
  });
});

describe('decodeRecords with a content hash', () => {
  const MULTIHASH = `1220${'c3c4733ec8affd06cf9e9ff50ffc6bcd2ec85a6170004bb709669c31de94391a'}`;

  it.each([
    ['IPFS', `0xe3010170${MULTIHASH}`, 'ipfs://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'],
    ['IPNS', `0xe5010170${MULTIHASH}`, 'ipns://bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'],
    ['Swarm', `0xe40101fa011b20${'ab'.repeat(32)}`, `bzz://${'ab'.repeat(32)}`],
    ['another namespace', '0xbc0301', '0xbc0301'],
  ] as [string, Hex, string][])('returns it as text for %s', (_of, value, contenthash) => {
    expect(decodeRecords(only('contenthash', bytes(value)))).toEqual({ ...nothing, records: { contenthash } });
  });

  it('returns no record if it is empty', () => {
    expect(decodeRecords(only('contenthash', bytes('0x')))).toEqual(nothing);
  });

  it('is not encoded if its text would be too long', () => {
    const errors = { 'records.contenthash': TEXT_TOO_LONG };
    const value: Hex = `0xe301${'ab'.repeat(9_000)}`;
    expect(decodeRecords(only('contenthash', bytes(value)))).toEqual({ ...nothing, errors });
  });
});

describe('decodeRecords', () => {
  it('returns the address that the name resolves to', () => {
    const account = `0x${'ab'.repeat(20)}` as const;
    const result = encodeAbiParameters([{ type: 'address' }], [account]);
    expect(decodeRecords(only('account', result))).toEqual({ ...nothing, account });
  });

  it.each([0, KEYS.length - 1, KEYS.length + 1])('returns null for %i results', (count) => {
    expect(decodeRecords(results(Array.from({ length: count }, () => '0x')))).toBeNull();
  });

  it('returns null for offsets that all point to one long text, as many as are expected', () => {
    const words = [32, KEYS.length, ...KEYS.map(() => KEYS.length * 32), 100_000];
    const data = concatHex([...words.map((number) => numberToHex(number, { size: 32 })), `0x${'ab'.repeat(100_000)}`]);
    expect(decodeRecords(data)).toBeNull();
  });
});

describe('decodeRevert', () => {
  const nested = (depth: number, data: Hex): Hex =>
    depth === 0
      ? data
      : nested(depth - 1, encodeErrorResult({ abi: universalResolverAbi, errorName: 'ResolverError', args: [data] }));

  it('decodes the error of the resolver, and none within it', () => {
    expect(decodeRevert(nested(1, encodeHttp(404)))).toEqual({ kind: 'http', status: 404 });
    expect(decodeRevert(nested(200, encodeHttp(404)))).toEqual({
      kind: 'other',
      message: 'resolver: reverted with ResolverError',
    });
  });

  it.each([
    ['ResolverError', 'reverted with ResolverError'],
    ['HttpError', 'reverted with HttpError'],
    ['Error', 'reverted with Error'],
  ] as const)('describes an %s that points outside', (errorName, message) => {
    const args = { ResolverError: ['0x'], HttpError: [404, ''], Error: [''] }[errorName];
    // Safe: the arguments are those of the error.
    const selector = encodeErrorResult({ abi: universalResolverAbi, errorName, args: args as never }).slice(0, 10);
    expect(decodeRevert(`${selector as Hex}${'ff'.repeat(64)}`)).toEqual({ kind: 'other', message });
  });
});

function encodeHttp(status: number): Hex {
  return encodeErrorResult({ abi: universalResolverAbi, errorName: 'HttpError', args: [status, 'SECRET'] });
}

function encodeNotFound(): Hex {
  return encodeErrorResult({ abi: universalResolverAbi, errorName: 'ResolverNotFound', args: ['0x00'] });
}

function binaryOf(last: string): Hex {
  return `0x${last.padStart(64, '0')}`;
}
