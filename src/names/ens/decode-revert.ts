import { decodeErrorResult } from 'viem';
import type { Hex } from '../../protocol/hex.ts';
import type { RemoteFault } from '../../remote/remote-error.ts';
import { universalResolverAbi } from './universal-resolver.ts';

/** What a contract meant by reverting. */
export type Revert =
  /** There is nothing to be found, for good: the chain itself says so. */
  | { readonly kind: 'absent'; readonly error: AbsenceError }
  /** A gateway answered the contract with an error. */
  | { readonly kind: 'http'; readonly status: number }
  /** What is asked for is not on the chain, and nobody went to get it. */
  | { readonly kind: 'offchain' }
  | { readonly kind: 'other'; readonly message: string };

/** Each proves that an account has no name: it has set none, or one that does not lead back to it. */
export const ABSENCE_ERRORS = [
  'DNSEncodingFailed',
  'ResolverNotContract',
  'ResolverNotFound',
  'ReverseAddressMismatch',
  'UnsupportedResolverProfile',
] as const;
export type AbsenceError = (typeof ABSENCE_ERRORS)[number];

const LONGEST_MESSAGE = 200;
/** JSON-RPC's code of a call that was reverted. */
const REVERTED = 3;

export function decodeRevert(data: Hex = '0x'): Revert {
  const error = decodeError(data);
  if (error === null) return { kind: 'other', message: causeOf(data) };
  const absence = ABSENCE_ERRORS.find((name) => name === error.errorName);
  if (absence !== undefined) return { kind: 'absent', error: absence };
  switch (error.errorName) {
    case 'HttpError':
      return { kind: 'http', status: error.args[0] };
    case 'OffchainLookup':
      return { kind: 'offchain' };
    case 'ResolverError':
      return { kind: 'other', message: `the resolver: ${causeOf(error.args[0])}` };
    default:
      return { kind: 'other', message: causeOf(data) };
  }
}

/** Why one record, of many that were asked for, is not known. */
export function describeRevert(revert: Exclude<Revert, { kind: 'absent' }>): string {
  switch (revert.kind) {
    case 'http':
      return `the gateway answered with HTTP status ${revert.status}`;
    case 'offchain':
      return 'CCIP-read is switched off';
    case 'other':
      return revert.message;
  }
}

/** Why nothing is known: what the contract could not find out is a fault like any other. */
export function faultOf(revert: Revert): RemoteFault {
  if (revert.kind === 'http') return { kind: 'http', status: revert.status, retryAfterMs: null };
  const message = revert.kind === 'absent' ? `reverted with ${revert.error}` : describeRevert(revert);
  return { kind: 'refused', code: REVERTED, message };
}

function causeOf(data: Hex): string {
  if (data === '0x') return 'reverted without a reason';
  const error = decodeError(data);
  if (error === null) return `reverted with ${data.slice(0, 10)}`;
  return error.errorName === 'Error' ? readable(error.args[0]) : `reverted with ${error.errorName}`;
}

function decodeError(data: Hex) {
  try {
    return decodeErrorResult({ abi: universalResolverAbi, data });
  } catch {
    return null;
  }
}

/** Others' words, as far as they can be shown: a URL in them may carry a key. */
function readable(text: string): string {
  const shown = text
    .slice(0, LONGEST_MESSAGE * 2)
    .replaceAll(/\S+:\/\/\S*/g, '…')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, LONGEST_MESSAGE)
    .toWellFormed()
    .trim();
  return shown === '' ? 'reverted without a reason' : shown;
}
