import { encodeFunctionData, namehash, toHex } from 'viem';
import { packetToBytes } from 'viem/ens';
import type { UnixMs } from '../../async/unix-time.ts';
import { abiAddress, abiBytes, abiString, decodeAbi } from '../../protocol/decode-abi.ts';
import type { Address, Hex } from '../../protocol/hex.ts';
import { normaliseName } from '../normalise-name.ts';
import { type FetchedProfile, type ProfileSource, UnresolvableError } from '../profile-source.ts';
import {
  COIN_TYPES,
  decodeAddressWord,
  decodeRecords,
  encodeRecordsCall,
  failedRecords,
  type Records,
} from './decode-records.ts';
import { ABSENCE_ERRORS, type AbsenceError, decodeRevert, faultOf, isGatewayNotFound } from './decode-revert.ts';
import { createResolverCall, type ResolverCallOptions } from './resolver-call.ts';
import { addressAbi, GATEWAYS, universalResolverAbi } from './universal-resolver.ts';

/** Errors that prove a negative forward resolution. A mismatch occurs in reverse resolution only. */
const FORWARD_ABSENCE_ERRORS = ABSENCE_ERRORS.filter((error) => error !== 'ReverseAddressMismatch');

/**
 * The gateway of a name responded with 404: it has no such name, unless it is misconfigured. Or the ENS record of a DNS
 * name leads to an address without a contract.
 */
class NotFoundError extends UnresolvableError {}

export interface ChainSourceOptions extends ResolverCallOptions {
  readonly now: () => UnixMs;
}

/** Reads ENS from the chain through the Universal Resolver, with CCIP-read for offchain names. */
export function createChainSource(options: ChainSourceOptions): ProfileSource {
  const { now } = options;
  const callResolver = createResolverCall(options);

  /** Returns null if the contract reverts with one of `proofs`, which prove that there is no result. */
  async function callOrNull(
    label: string,
    data: Hex,
    { proofs, isDns = false }: { proofs: readonly AbsenceError[]; isDns?: boolean },
  ): Promise<Hex | null> {
    const reply = await callResolver(label, data);
    if (reply.kind === 'return') return reply.data;
    const revert = decodeRevert(reply.data);
    if (revert.kind === 'absent' && proofs.includes(revert.error)) return null;
    throw isGatewayNotFound(revert) || (isDns && revert.kind === 'empty')
      ? new NotFoundError('ens', label, faultOf(revert))
      : new UnresolvableError('ens', label, faultOf(revert));
  }

  /** Forwards `resolverCall` to the resolver of the name. Returns its result and its address. */
  async function fetchResolution(label: string, name: string, resolverCall: Hex, proofs: readonly AbsenceError[]) {
    const args = [toHex(packetToBytes(name)), resolverCall, GATEWAYS] as const;
    const data = encodeFunctionData({ abi: universalResolverAbi, functionName: 'resolveWithGateways', args });
    const result = await callOrNull(label, data, { proofs, isDns: !name.endsWith('.eth') });
    if (result === null) return null;
    const [returned, resolver] = decodeAbi(result, [abiBytes, abiAddress]) ?? unexpected(label);
    return { result: returned, resolver };
  }

  /** Reverse resolution. Returns an empty string if the account has no primary name, or one that is not normalised. */
  async function fetchPrimaryName(account: Address): Promise<string> {
    const args = [account, COIN_TYPES.eth, GATEWAYS] as const;
    const data = encodeFunctionData({ abi: universalResolverAbi, functionName: 'reverseWithGateways', args });
    const result = await callOrNull('reverse', data, { proofs: ABSENCE_ERRORS });
    if (result === null) return '';
    const [name] = decodeAbi(result, [abiString, abiAddress, abiAddress]) ?? unexpected('reverse');
    return normaliseName(name) === name ? name : '';
  }

  /** Forward resolution of a name; null if the chain proves that it has no address. */
  async function fetchAddress(name: string): Promise<Address | null> {
    const resolverCall = encodeFunctionData({ abi: addressAbi, args: [namehash(name)] });
    const resolution = await fetchResolution('address', name, resolverCall, FORWARD_ABSENCE_ERRORS);
    if (resolution === null) return null;
    const address = decodeAddressWord(resolution.result);
    return address === undefined ? unexpected('address') : address;
  }

  /**
   * The primary name of an account. If reverse resolution fails, the stored name decides: the account has lost it if it
   * resolves to another address.
   */
  async function fetchName(account: Address, stored: string): Promise<string> {
    try {
      return await fetchPrimaryName(account);
    } catch (error) {
      if (!(error instanceof UnresolvableError)) throw error;
      if (stored === '' && error instanceof NotFoundError) return '';
      if (stored === '' || (await fetchAddress(stored)) === account) throw error;
      return '';
    }
  }

  /** The records of a verified name. Returns null if the name does not resolve to the account any more. */
  async function fetchRecords(name: string, account: Address): Promise<(Records & { resolver: string }) | null> {
    try {
      const resolution = await fetchResolution('records', name, encodeRecordsCall(name), FORWARD_ABSENCE_ERRORS);
      if (resolution === null) return null;
      const { account: holder, ...records } = decodeRecords(resolution.result) ?? unexpected('records');
      return holder === null || holder === account ? { ...records, resolver: resolution.resolver } : null;
    } catch (error) {
      if (!(error instanceof UnresolvableError)) throw error;
      // A resolver that fails for all records does not lose the name.
      return { ...failedRecords(error.message), resolver: '' };
    }
  }

  async function fetchProfile(account: Address, storedName: string): Promise<FetchedProfile> {
    const fresh = now();
    const name = await fetchName(account, storedName);
    if (name === '') return { name, display: '', resolver: '', records: {}, chains: {}, errors: {}, fresh };
    const found = await fetchRecords(name, account);
    if (found === null) throw malformed('records', 'the name changed between two calls');
    return { name, display: found.records.display ?? '', ...found, fresh };
  }

  return {
    fetchProfile,
    async fetchHolder(name) {
      try {
        return await fetchAddress(name);
      } catch (error) {
        if (error instanceof NotFoundError) return null;
        throw error;
      }
    },
  };
}

function malformed(label: string, message: string): UnresolvableError {
  return new UnresolvableError('ens', label, { kind: 'malformed', message });
}

function unexpected(label: string): never {
  throw malformed(label, 'unexpected return data');
}
