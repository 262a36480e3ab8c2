import { BaseError, createClient, custom, encodeErrorResult } from 'viem';
import { call } from 'viem/actions';
import { type Hex, parseHex } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import { type RpcClient, WrongChainError } from '../../rpc/rpc-client.ts';
import { UnresolvableError } from '../profile-source.ts';
import { type CcipGateway, type CcipRequest, GatewayError } from './ccip-gateway.ts';
import { UNIVERSAL_RESOLVER, universalResolverAbi } from './universal-resolver.ts';

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
  readonly now: () => number;
}

/** Limits per lookup, far above what a name needs: an untrusted contract could request gateways without end. */
const MAX_CALLS = 12;
const MAX_GATEWAY_REQUESTS = 128;
const MAX_DURATION_MS = 30_000;

/** Thrown to viem, which passes the message on to the contract: what is on chain is still resolved. */
class CcipDisabledError extends Error {
  constructor() {
    super('CCIP-read is disabled');
  }
}

/** A revert in the form that viem expects: `data` on the last error of the cause chain. */
class RevertError extends Error {
  readonly code = 3;
  readonly data: Hex | undefined;

  constructor(data: Hex | undefined) {
    super('execution reverted');
    this.data = data;
  }
}

export function createResolverCall({ client, ccip, now }: ResolverCallOptions): ResolverCall {
  return async (label, data) => {
    const fail = (message: string) => new UnresolvableError('ens', label, { kind: 'malformed', message });
    const startedAt = now();
    let calls = 0;
    let gatewayRequests = 0;
    let failed: { readonly error: unknown } | undefined;
    const gateways = ccip?.open();

    async function request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<Hex> {
      try {
        if (++calls > MAX_CALLS) throw fail('too many CCIP-read rounds');
        const result = await callNode(client, method, params);
        if (result.kind === 'return') return result.data;
        throw new RevertError(result.data);
      } catch (error) {
        // viem wraps errors; keep the original.
        if (!(error instanceof RevertError)) failed = { error };
        throw error;
      }
    }

    async function sendToGateway(ccipRequest: CcipRequest): Promise<Hex> {
      if (gateways === undefined) throw new CcipDisabledError();
      if (++gatewayRequests > MAX_GATEWAY_REQUESTS || now() - startedAt > MAX_DURATION_MS) {
        throw new GatewayError('ens', { kind: 'malformed', message: 'too many gateway requests' });
      }
      return gateways.send(ccipRequest);
    }

    // One client per lookup, because the limits are counted per lookup; it holds no connections.
    const viem = createClient({
      transport: custom({ request }, { retryCount: 0 }),
      ccipRead: { request: sendToGateway },
      cacheTime: 0,
    });
    try {
      const returned = await call(viem, { to: UNIVERSAL_RESOLVER, data, batch: false });
      if (returned.data === undefined) {
        const message = 'no data: there is no Universal Resolver on this chain';
        throw new RemoteError('ens', label, { kind: 'malformed', message });
      }
      return { kind: 'return', data: returned.data };
    } catch (error) {
      if (failed !== undefined) throw sourceErrorOf(label, failed.error);
      const root = rootCauseOf(error);
      if (root instanceof RevertError) return { kind: 'revert', data: root.data };
      if (root instanceof GatewayError && root.status !== undefined) return revertOf(root.status);
      if (root instanceof GatewayError) throw new UnresolvableError('ens', label, root.fault);
      if (root instanceof RemoteError) throw root;
      if (root instanceof CcipDisabledError) throw fail(root.message);
      throw fail(root instanceof BaseError ? root.shortMessage : 'invalid OffchainLookup');
    } finally {
      gateways?.close();
    }
  };
}

/** The revert with which the Universal Resolver reports the error status of a gateway. */
function revertOf(status: number): CallResult {
  const data = encodeErrorResult({ abi: universalResolverAbi, errorName: 'HttpError', args: [status, ''] });
  return { kind: 'revert', data };
}

/** A node of another chain is an outage of the source: stored names are served. */
function sourceErrorOf(label: string, error: unknown): unknown {
  return error instanceof WrongChainError
    ? new RemoteError('ens', label, { kind: 'unreachable', message: error.message })
    : error;
}

/** Errors of the EVM, which concern the call and not the node. */
const EXECUTION_FAILED = /execution|out of gas|invalid opcode/i;

/** A revert is a result, not a failure: another node would return the same. */
async function callNode(client: RpcClient, method: string, params: readonly unknown[]): Promise<CallResult> {
  return client.request(async (endpoint) => {
    try {
      const data = parseHex(await endpoint.send({ method, params }));
      if (data === null) throw new Error('no hex data in the response');
      return { kind: 'return', data };
    } catch (error) {
      if (!(error instanceof RemoteError) || error.fault.kind !== 'refused') throw error;
      const { data, message } = error.fault;
      if (data !== undefined || /revert/i.test(message)) return { kind: 'revert', data };
      throw EXECUTION_FAILED.test(message) ? new UnresolvableError(endpoint.host, method, error.fault) : error;
    }
  });
}

function rootCauseOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootCauseOf(error.cause) : error;
}
