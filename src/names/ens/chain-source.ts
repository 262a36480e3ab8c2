import { decodeAbiParameters, decodeFunctionResult, encodeFunctionData, namehash, toHex } from 'viem';
import { packetToBytes } from 'viem/ens';
import { type Address, type Hex, ZERO_ADDRESS } from '../../protocol/hex.ts';
import { RemoteError, requireRemote } from '../../remote/remote-error.ts';
import { normaliseName } from '../normalise-name.ts';
import type { FetchedProfile, ProfileSource } from '../profile-source.ts';
import { COIN_TYPES } from './decode-address.ts';
import { decodeRecords, encodeRecordsCall } from './decode-records.ts';
import { ABSENCE_ERRORS, type AbsenceError, decodeRevert, faultOf } from './decode-revert.ts';
import { createResolverCall, type ResolverCallOptions } from './resolver-call.ts';
import { addressAbi, GATEWAYS, universalResolverAbi } from './universal-resolver.ts';

/** Errors that prove a negative forward resolution. A mismatch occurs in reverse resolution only. */
const FORWARD_ABSENCE_ERRORS = ABSENCE_ERRORS.filter((error) => error !== 'ReverseAddressMismatch');

/** Stricter than an ABI decoder, which would also accept other return data as an address. */
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/;

/** Reads ENS from the chain through the Universal Resolver, with CCIP-read for offchain names. */
export function createChainSource(options: ResolverCallOptions): ProfileSource {
  const { now } = options;
  const callResolver = createResolverCall(options);

  /** Returns null if the contract reverts with one of `proofs`, which prove that there is no result. */
  async function callOrNull(label: string, data: Hex, proofs: readonly AbsenceError[]): Promise<Hex | null> {
    const reply = await callResolver(label, data);
    if (reply.kind === 'return') return reply.data;
    const revert = decodeRevert(reply.data);
    if (revert.kind === 'absent' && proofs.includes(revert.error)) return null;
    throw new RemoteError('ens', label, faultOf(revert));
  }

  /** Forwards `resolverCall` to the resolver of the name. Returns its result and its address. */
  async function fetchResolution(label: string, name: string, resolverCall: Hex, proofs: readonly AbsenceError[]) {
    const args = [toHex(packetToBytes(name)), resolverCall, GATEWAYS] as const;
    const data = encodeFunctionData({ abi: universalResolverAbi, functionName: 'resolveWithGateways', args });
    const result = await callOrNull(label, data, proofs);
    if (result === null) return null;
    const [returned, resolver] = decode(label, () =>
      decodeFunctionResult({ abi: universalResolverAbi, functionName: 'resolveWithGateways', data: result }),
    );
    return { result: returned, resolver: resolver.toLowerCase() };
  }

  /** Reverse resolution. Returns an empty string if the account has no primary name, or one that is not normalised. */
  async function fetchPrimaryName(account: Address): Promise<string> {
    const args = [account, COIN_TYPES.eth, GATEWAYS] as const;
    const data = encodeFunctionData({ abi: universalResolverAbi, functionName: 'reverseWithGateways', args });
    const result = await callOrNull('reverse', data, ABSENCE_ERRORS);
    if (result === null) return '';
    const [name] = decode('reverse', () =>
      decodeFunctionResult({ abi: universalResolverAbi, functionName: 'reverseWithGateways', data: result }),
    );
    return normaliseName(name) === name ? name : '';
  }

  async function fetchProfile(account: Address): Promise<FetchedProfile> {
    const fresh = now();
    const name = await fetchPrimaryName(account);
    if (name === '') return { name, display: '', resolver: '', records: {}, chains: {}, errors: {}, fresh };
    const resolution = await fetchResolution('records', name, encodeRecordsCall(name), []);
    const found = resolution && decodeRecords(decode('records', () => decodeResults(resolution.result)));
    if (resolution === null || found === null) throw malformed('records', 'unexpected number of records');
    // Some resolvers return the address only for addr(bytes32), so a missing eth record is no contradiction.
    if ((found.chains.eth ?? account) !== account) throw malformed('records', 'the name changed between two calls');
    return { name, display: found.records.display ?? '', resolver: resolution.resolver, ...found, fresh };
  }

  return {
    kind: 'chain',
    batchSize: 1,
    async fetchProfiles(accounts) {
      const profiles = new Map<Address, FetchedProfile | RemoteError>();
      for (const account of accounts) profiles.set(account, await fetchProfile(account).catch(requireRemote));
      return profiles;
    },
    async fetchHolder(name) {
      const resolverCall = encodeFunctionData({ abi: addressAbi, args: [namehash(name)] });
      const resolution = await fetchResolution('address', name, resolverCall, FORWARD_ABSENCE_ERRORS);
      if (resolution === null) return null;
      const holder = ADDRESS_WORD.exec(resolution.result)?.[1];
      if (holder === undefined) throw malformed('address', 'unexpected return data');
      const address: Address = `0x${holder}`;
      return address === ZERO_ADDRESS ? null : address;
    },
  };
}

function decodeResults(result: Hex): readonly Hex[] {
  return decodeAbiParameters([{ type: 'bytes[]' }], result)[0];
}

function malformed(label: string, message: string): RemoteError {
  return new RemoteError('ens', label, { kind: 'malformed', message });
}

function decode<T>(label: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw malformed(label, 'unexpected return data');
  }
}
