import { encodeAbiParameters, encodeErrorResult, parseAbiParameters, toFunctionSelector } from 'viem';
import { batches } from '../../async/batches.ts';
import { type MonotonicMs, readMonotonic } from '../../async/unix-time.ts';
import { abiAddress, abiArray, abiBytes, abiString, abiTuple, abiWord, decodeAbi } from '../../protocol/decode-abi.ts';
import { byteLength, type Hex, parseHex, sliceHex } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import { type RpcClient, WrongChainError } from '../../rpc/rpc-client.ts';
import { UnresolvableError } from '../profile-source.ts';
import { type CcipGateway, type CcipRequest, GatewayError } from './ccip-gateway.ts';
import { GATEWAYS, UNIVERSAL_RESOLVER, universalResolverAbi } from './universal-resolver.ts';

/** A contract reverts with it to request data from a gateway, and is called back with the response (EIP-3668). */
export interface OffchainLookup extends CcipRequest {
  readonly callback: Hex;
  readonly extraData: Hex;
}

const LOOKUP = toFunctionSelector('OffchainLookup(address,string[],bytes,bytes4,bytes)');
const QUERY = toFunctionSelector('query((address,string[],bytes)[])');
const REQUEST = [abiAddress, abiArray(abiString), abiBytes] as const;
const CALLBACK = parseAbiParameters('bytes response, bytes extraData');
const BATCH_RESPONSE = parseAbiParameters('bool[] failures, bytes[] responses');

const isOffchainLookup = (data: Hex | undefined): data is Hex => data?.startsWith(LOOKUP) ?? false;

/** Returns null if it is malformed. */
export function decodeOffchainLookup(data: Hex): OffchainLookup | null {
  const values = decodeAbi(sliceHex(data, 4), [...REQUEST, abiWord, abiBytes]);
  if (values === null) return null;
  const [sender, urls, callData, callback, extraData] = values;
  return { sender, urls, data: callData, callback: sliceHex(callback, 0, 4), extraData };
}

/** Encodes the call that hands the response of the gateway to the contract. */
function encodeCallback({ callback, extraData }: OffchainLookup, response: Hex): Hex {
  return `${callback}${encodeAbiParameters(CALLBACK, [response, extraData]).slice(2)}`;
}

/** Whether a request is a batch, whose requests are to be sent by the client itself (ENSIP-21). */
const isBatch = ({ urls }: CcipRequest) => GATEWAYS.some((url) => urls.includes(url));

/** The requests of a batch. Returns null if it is malformed. */
export function decodeBatch({ data }: CcipRequest): CcipRequest[] | null {
  const [requests] = (data.startsWith(QUERY) && decodeAbi(sliceHex(data, 4), [abiArray(abiTuple(REQUEST))])) || [];
  return requests?.map(([sender, urls, callData]) => ({ sender, urls, data: callData })) ?? null;
}

/** Encodes the responses to the requests of a batch. A failed request has its error as response. */
function encodeBatchResponse(responses: readonly (Hex | Error)[]): Hex {
  return encodeAbiParameters(BATCH_RESPONSE, [
    responses.map((response) => response instanceof Error),
    responses.map((response) => (response instanceof Error ? encodeFailure(response) : response)),
  ]);
}

/** The revert data that reports a failed request to the contract. */
function encodeFailure(error: Error): Hex {
  const status = error instanceof GatewayError ? error.status : undefined;
  return status === undefined
    ? encodeErrorResult({ abi: universalResolverAbi, errorName: 'Error', args: [error.message] })
    : encodeErrorResult({ abi: universalResolverAbi, errorName: 'HttpError', args: [status, error.message] });
}

/** The result of a call of the Universal Resolver, after CCIP-read. */
type CallResult =
  | { readonly kind: 'return'; readonly data: Hex }
  | { readonly kind: 'revert'; readonly data: Hex | undefined };

/** Throws a `RemoteError`, with `label` in its message, if the call neither returns nor reverts. */
export type ResolverCall = (label: string, data: Hex) => Promise<CallResult>;

export interface ResolverCallOptions {
  readonly client: RpcClient;
  /** Null disables CCIP-read. */
  readonly ccip: CcipGateway | null;
  readonly monotonic?: () => MonotonicMs;
}

/**
 * Limits per lookup, far above what a name needs: an untrusted contract could request gateways without end. Storage
 * proofs take some 30 KB for each of the thirty records.
 */
const MAX_CALLS = 12;
const MAX_GATEWAY_REQUESTS = 128;
const MAX_GATEWAY_CHARACTERS = 2 ** 22;
const MAX_DURATION_MS = 30_000;
/** Each response is held until it is counted. */
const REQUESTS_AT_ONCE = 16;
/** Of batches within batches: the Universal Resolver makes one, and a resolver may make another. */
const MAX_BATCH_DEPTH = 4;
/**
 * Of return data. All records of a name take 5 KB if they are empty, 32 KB if the images are the longest `data:` URLs and
 * the other texts have 1,000 characters, and 68 KB if all texts have 1,000 Chinese ones.
 */
const MAX_RESULT_BYTES = 2 ** 17;

/** Reported to the contract, like a failed gateway: what is on chain is still resolved. */
class CcipDisabledError extends Error {
  constructor() {
    super('CCIP-read is disabled');
  }
}

export function createResolverCall({ client, ccip, monotonic = readMonotonic }: ResolverCallOptions): ResolverCall {
  return async (label, data) => {
    const fail = (message: string) => new UnresolvableError('ens', label, { kind: 'malformed', message });
    const gateways = openGateways(ccip, monotonic);
    try {
      let callData = data;
      for (let calls = 0; calls < MAX_CALLS; calls++) {
        const result = await callNode(client, callData).catch((error) => {
          throw sourceErrorOf(label, error);
        });
        if (result.kind === 'oversized') throw fail(`more than ${MAX_RESULT_BYTES} bytes`);
        if (result.kind === 'return' && result.data === '0x') {
          const message = 'no data: there is no Universal Resolver on this chain';
          throw new RemoteError('ens', label, { kind: 'malformed', message });
        }
        if (result.kind === 'return' || !isOffchainLookup(result.data)) return result;
        const lookup = decodeOffchainLookup(result.data);
        if (lookup?.sender !== UNIVERSAL_RESOLVER) throw fail('invalid OffchainLookup');
        const response = await gateways.respond(lookup);
        if (response instanceof GatewayError && response.status !== undefined) {
          return { kind: 'revert', data: encodeFailure(response) };
        }
        if (response instanceof GatewayError) throw new UnresolvableError('ens', label, response.fault);
        if (response instanceof Error) throw fail(response.message);
        callData = encodeCallback(lookup, response);
      }
      throw fail('too many CCIP-read rounds');
    } finally {
      gateways.close();
    }
  };
}

/** The gateways of one lookup. */
function openGateways(ccip: CcipGateway | null, monotonic: () => MonotonicMs) {
  const startedAt = monotonic();
  const gateways = ccip?.open();
  let requests = 0;
  let characters = 0;

  async function send(request: CcipRequest): Promise<Hex> {
    if (gateways === undefined) throw new CcipDisabledError();
    if (++requests > MAX_GATEWAY_REQUESTS || monotonic() - startedAt > MAX_DURATION_MS)
      throw refuse('too many gateway requests');
    if (characters <= MAX_GATEWAY_CHARACTERS) {
      const response = await gateways.send(request);
      characters += response.length;
      if (characters <= MAX_GATEWAY_CHARACTERS) return response;
    }
    throw refuse('too much data from gateways');
  }

  async function sendBatch(batch: CcipRequest, depth: number): Promise<Hex> {
    const batched = depth < MAX_BATCH_DEPTH ? decodeBatch(batch) : null;
    if (batched === null) throw refuse('an invalid batch of requests');
    const responses: Awaited<ReturnType<typeof respond>>[] = [];
    for await (const some of batches(batched, REQUESTS_AT_ONCE)) {
      responses.push(...(await Promise.all(some.map((request) => respond(request, depth + 1)))));
    }
    return encodeBatchResponse(responses);
  }

  /** The response, or why there is none. */
  async function respond(request: CcipRequest, depth = 0): Promise<Hex | GatewayError | CcipDisabledError> {
    try {
      return await (isBatch(request) ? sendBatch(request, depth) : send(request));
    } catch (error) {
      if (error instanceof GatewayError || error instanceof CcipDisabledError) return error;
      throw error;
    }
  }

  return { respond, close: () => gateways?.close() };
}

const refuse = (message: string) => new GatewayError('ens', { kind: 'malformed', message });

/** A node of another chain is an outage of the source: stored names are served. */
function sourceErrorOf(label: string, error: unknown): unknown {
  return error instanceof WrongChainError
    ? new RemoteError('ens', label, { kind: 'unreachable', message: error.message })
    : error;
}

/** Errors of the EVM, which concern the call and not the node. */
const EXECUTION_FAILED = /execution|out of gas|invalid opcode/i;

/** A revert is a result, not a failure: another node would return the same. So is one that is too large. */
async function callNode(client: RpcClient, data: Hex): Promise<CallResult | { readonly kind: 'oversized' }> {
  const call = { method: 'eth_call', params: [{ to: UNIVERSAL_RESOLVER, data }, 'latest'] };
  return client.request(async (endpoint) => {
    try {
      const returned = parseHex(await endpoint.send(call));
      if (returned === null) throw new Error('no hex data in the response');
      return byteLength(returned) > MAX_RESULT_BYTES ? { kind: 'oversized' } : { kind: 'return', data: returned };
    } catch (error) {
      if (error instanceof RemoteError && error.fault.kind === 'oversized') return { kind: 'oversized' };
      if (!(error instanceof RemoteError) || error.fault.kind !== 'refused') throw error;
      const { data: revertData, message } = error.fault;
      if (revertData !== undefined || /revert/i.test(message)) return { kind: 'revert', data: revertData };
      throw EXECUTION_FAILED.test(message) ? new UnresolvableError(endpoint.host, call.method, error.fault) : error;
    }
  });
}
