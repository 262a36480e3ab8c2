import { decodeErrorResult } from 'viem';
import type { Hex } from '../../protocol/hex.ts';
import type { RemoteFault } from '../../remote/remote-error.ts';
import { universalResolverAbi } from './universal-resolver.ts';

export type Revert =
  /** The chain proves that there is no result. */
  | { readonly kind: 'absent'; readonly error: AbsenceError }
  /** A CCIP-read gateway responded with an error status. */
  | { readonly kind: 'http'; readonly status: number }
  /** The resolver reverted without data, as a call of an address without a contract does. */
  | { readonly kind: 'empty' }
  | { readonly kind: 'other'; readonly message: string };

/** Each proves that an account has no primary name: none is set, or forward resolution does not confirm it. */
export const ABSENCE_ERRORS = [
  // The resolver of DNS names: the name has no ENS record.
  'CouldNotResolve',
  'DNSEncodingFailed',
  // The first resolver of DNS names reverts with this for every record that it does not have.
  'NotImplemented',
  'ResolverNotContract',
  'ResolverNotFound',
  'ReverseAddressMismatch',
  // ENSv2: the resolver that the name leads to is not a contract.
  'UnreachableName',
  'UnsupportedResolverProfile',
] as const;
export type AbsenceError = (typeof ABSENCE_ERRORS)[number];

const MAX_MESSAGE_LENGTH = 200;
/** Errors that prove absence also if the resolver of the name reverts with them. */
const RESOLVER_ABSENCE_ERRORS: readonly AbsenceError[] = ['CouldNotResolve', 'NotImplemented', 'UnreachableName'];
/** Errors that prove that a name does not have one record. The others say nothing about a single record. */
export const RECORD_ABSENCE_ERRORS: readonly AbsenceError[] = [
  ...RESOLVER_ABSENCE_ERRORS,
  'UnsupportedResolverProfile',
];
/** The HTTP status with which a gateway says that it does not have what it was asked for. */
const NOT_FOUND = 404;
/** JSON-RPC error code of a reverted call. */
const REVERTED = 3;

export function decodeRevert(data: Hex = '0x'): Revert {
  const error = decodeError(data);
  if (error === null) return { kind: 'other', message: causeOf(data) };
  const absence = ABSENCE_ERRORS.find((name) => name === error.errorName);
  if (absence !== undefined) return { kind: 'absent', error: absence };
  switch (error.errorName) {
    case 'HttpError':
      return { kind: 'http', status: error.args[0] };
    case 'ResolverError':
      return decodeResolverError(error.args[0]);
    default:
      return { kind: 'other', message: causeOf(data) };
  }
}

function decodeResolverError(data: Hex): Revert {
  if (data === '0x') return { kind: 'empty' };
  const revert = decodeRevert(data);
  if (revert.kind === 'http' || (revert.kind === 'absent' && RESOLVER_ABSENCE_ERRORS.includes(revert.error))) {
    return revert;
  }
  return { kind: 'other', message: `resolver: ${causeOf(data)}` };
}

export function isGatewayNotFound(revert: Revert): boolean {
  return revert.kind === 'http' && revert.status === NOT_FOUND;
}

export function describeRevert(revert: Revert): string {
  switch (revert.kind) {
    case 'absent':
      return `reverted with ${revert.error}`;
    case 'http':
      return `the gateway responded with HTTP status ${revert.status}`;
    case 'empty':
      return 'resolver: reverted without a reason';
    case 'other':
      return revert.message;
  }
}

export function faultOf(revert: Revert): RemoteFault {
  if (revert.kind === 'http') return { kind: 'http', status: revert.status, retryAfterMs: null };
  return { kind: 'refused', code: REVERTED, message: describeRevert(revert) };
}

function causeOf(data: Hex): string {
  if (data === '0x') return 'reverted without a reason';
  const error = decodeError(data);
  if (error === null) return `reverted with ${data.slice(0, 10)}`;
  return error.errorName === 'Error' ? sanitise(error.args[0]) : `reverted with ${error.errorName}`;
}

function decodeError(data: Hex) {
  try {
    return decodeErrorResult({ abi: universalResolverAbi, data });
  } catch {
    return null;
  }
}

/** Sanitises an untrusted message: URLs may contain keys, control characters could forge log lines. */
function sanitise(text: string): string {
  const shown = text
    .slice(0, MAX_MESSAGE_LENGTH * 2)
    .replaceAll(/\S+:\/\/\S*/g, '…')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, MAX_MESSAGE_LENGTH)
    .toWellFormed()
    .trim();
  return shown === '' ? 'reverted without a reason' : shown;
}
