import { toFunctionSelector } from 'viem';
import { abiBytes, abiString, abiWord, decodeAbi } from '../../protocol/decode-abi.ts';
import { type Hex, sliceHex } from '../../protocol/hex.ts';
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

const selectorOf = ({ name, inputs }: { name: string; inputs: readonly { type: string }[] }) =>
  toFunctionSelector(`${name}(${inputs.map(({ type }) => type).join()})`);
const ERRORS = new Map(
  universalResolverAbi.filter((item) => item.type === 'error').map((error) => [selectorOf(error), error.name]),
);

export function decodeRevert(data: Hex = '0x'): Revert {
  if (errorNameOf(data) !== 'ResolverError') return decodeError(data);
  const [inner] = decodeAbi(sliceHex(data, 4), [abiBytes]) ?? [];
  if (inner === undefined) return { kind: 'other', message: causeOf(data) };
  if (inner === '0x') return { kind: 'empty' };
  const revert = decodeError(inner);
  if (revert.kind === 'http' || (revert.kind === 'absent' && RESOLVER_ABSENCE_ERRORS.includes(revert.error))) {
    return revert;
  }
  return { kind: 'other', message: `resolver: ${causeOf(inner)}` };
}

function decodeError(data: Hex): Revert {
  const name = errorNameOf(data);
  const error = ABSENCE_ERRORS.find((absence) => absence === name);
  if (error !== undefined) return { kind: 'absent', error };
  const [status] = (name === 'HttpError' && decodeAbi(sliceHex(data, 4), [abiWord, abiString])) || [];
  return status === undefined ? { kind: 'other', message: causeOf(data) } : { kind: 'http', status: Number(status) };
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
  const name = errorNameOf(data);
  if (name !== 'Error') return `reverted with ${name ?? data.slice(0, 10)}`;
  const [reason] = decodeAbi(sliceHex(data, 4), [abiString]) ?? [];
  return reason === undefined ? 'reverted with Error' : sanitise(reason);
}

function errorNameOf(data: Hex) {
  // Safe: the part of hex before its tenth character is hex.
  return ERRORS.get(data.slice(0, 10) as Hex);
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
