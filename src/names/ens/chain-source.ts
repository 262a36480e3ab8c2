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

/** Where only the name is given, there is no account that it could fail to lead back to. */
const HOLDER_ABSENCES = ABSENCE_ERRORS.filter((error) => error !== 'ReverseAddressMismatch');

/** An address and nothing else: a decoder would find one in much that is none. */
const ADDRESS_WORD = /^0x0{24}([0-9a-f]{40})$/;

/** Asks ENS itself, on the chain and through the gateways that names' resolvers send us to. */
export function createChainSource(options: ResolverCallOptions): ProfileSource {
  const { now } = options;
  const callResolver = createResolverCall(options);

  /** The answer, or null when the contract proves that there is none. */
  async function fetchAnswer(label: string, data: Hex, proofs: readonly AbsenceError[]): Promise<Hex | null> {
    const reply = await callResolver(label, data);
    if (reply.kind === 'answer') return reply.data;
    const revert = decodeRevert(reply.data);
    if (revert.kind === 'absent' && proofs.includes(revert.error)) return null;
    throw new RemoteError('ens', label, faultOf(revert));
  }

  /** What the name's resolver returns, and which one that is. */
  async function fetchResolution(label: string, name: string, asked: Hex, proofs: readonly AbsenceError[]) {
    const args = [toHex(packetToBytes(name)), asked, GATEWAYS] as const;
    const data = encodeFunctionData({ abi: universalResolverAbi, functionName: 'resolveWithGateways', args });
    const answer = await fetchAnswer(label, data, proofs);
    if (answer === null) return null;
    const [result, resolver] = decode(label, () =>
      decodeFunctionResult({ abi: universalResolverAbi, functionName: 'resolveWithGateways', data: answer }),
    );
    return { result, resolver: resolver.toLowerCase() };
  }

  /** The account's name in its normal form, empty when it has none. */
  async function fetchName(account: Address): Promise<string> {
    const args = [account, COIN_TYPES.eth, GATEWAYS] as const;
    const data = encodeFunctionData({ abi: universalResolverAbi, functionName: 'reverseWithGateways', args });
    const answer = await fetchAnswer('reverse', data, ABSENCE_ERRORS);
    if (answer === null) return '';
    const [name] = decode('reverse', () =>
      decodeFunctionResult({ abi: universalResolverAbi, functionName: 'reverseWithGateways', data: answer }),
    );
    return normaliseName(name) === name ? name : '';
  }

  async function fetchProfile(account: Address): Promise<FetchedProfile> {
    const fresh = now();
    const name = await fetchName(account);
    if (name === '') return { name, display: '', resolver: '', records: {}, chains: {}, errors: {}, fresh };
    const resolution = await fetchResolution('records', name, encodeRecordsCall(name), []);
    const found = resolution && decodeRecords(decode('records', () => decodeResults(resolution.result)));
    if (resolution === null || found === null) throw malformed('records', 'not as many records as were asked for');
    // Some resolvers know the account only as the answer to another question: an absence contradicts nothing.
    if ((found.chains.eth ?? account) !== account) throw malformed('records', 'the name changed while it was read');
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
      const asked = encodeFunctionData({ abi: addressAbi, args: [namehash(name)] });
      const resolution = await fetchResolution('address', name, asked, HOLDER_ABSENCES);
      if (resolution === null) return null;
      const holder = ADDRESS_WORD.exec(resolution.result)?.[1];
      if (holder === undefined) throw malformed('address', 'data of another kind');
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
    throw malformed(label, 'data of another kind');
  }
}
