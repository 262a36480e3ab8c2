import { BaseError, createClient, custom } from 'viem';
import { call } from 'viem/actions';
import { type Hex, parseHex } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import type { RpcClient } from '../../rpc/rpc-client.ts';
import { type CcipGateway, type CcipQuestion, GatewayError } from './ccip-gateway.ts';
import { UNIVERSAL_RESOLVER } from './universal-resolver.ts';

/** What the Universal Resolver said, gateways and callbacks included. */
type ResolverReply =
  | { readonly kind: 'answer'; readonly data: Hex }
  | { readonly kind: 'revert'; readonly data: Hex | undefined };

/** Throws a `RemoteError` when it said nothing; `label` tells in it what was asked. */
export type ResolverCall = (label: string, data: Hex) => Promise<ResolverReply>;

export interface ResolverCallOptions {
  readonly client: RpcClient;
  /** Null where gateways are not to be asked. */
  readonly ccip: CcipGateway | null;
  readonly now: () => number;
}

/** What no name needs. Contracts choose who is asked how often, and could keep us asking for ever. */
const MOST_CALLS = 12;
const MOST_QUESTIONS = 128;
const LONGEST_MS = 30_000;

/** A contract's refusal, as viem looks for it: `data` at the end of the chain of causes. */
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
    const fail = (message: string) => new RemoteError('ens', label, { kind: 'malformed', message });
    const began = now();
    let calls = 0;
    let questions = 0;
    let failed: { readonly error: unknown } | undefined;

    async function request({ method, params = [] }: { method: string; params?: readonly unknown[] }): Promise<Hex> {
      try {
        if (++calls > MOST_CALLS) throw fail('it asks its gateways without end');
        const reply = await askNode(client, method, params);
        if (reply.kind === 'answer') return reply.data;
        throw new RevertError(reply.data);
      } catch (error) {
        // viem wraps it in errors of its own, in which it would have to be looked for.
        if (!(error instanceof RevertError)) failed = { error };
        throw error;
      }
    }

    async function askGateway(gateway: CcipGateway, question: CcipQuestion): Promise<Hex> {
      if (++questions > MOST_QUESTIONS || now() - began > LONGEST_MS) {
        throw new GatewayError('ens', { kind: 'malformed', message: 'too much is asked of gateways' });
      }
      return gateway(question);
    }

    // One for each question, since what may be spent on it is counted; it holds no connections.
    const viem = createClient({
      transport: custom({ request }, { retryCount: 0 }),
      ccipRead: ccip === null ? false : { request: (question) => askGateway(ccip, question) },
      cacheTime: 0,
    });
    try {
      const answer = await call(viem, { to: UNIVERSAL_RESOLVER, data, batch: false });
      if (answer.data === undefined) throw fail('nothing, as from an address without a contract');
      return { kind: 'answer', data: answer.data };
    } catch (error) {
      if (failed !== undefined) throw failed.error;
      const root = rootOf(error);
      if (root instanceof RevertError) return { kind: 'revert', data: root.data };
      if (root instanceof GatewayError) throw new RemoteError('ens', label, root.fault);
      if (root instanceof RemoteError) throw root;
      throw fail(root instanceof BaseError ? root.shortMessage : 'no lookup that can be followed');
    }
  };
}

/** A revert is what the contract answers. Another node would only say the same. */
async function askNode(client: RpcClient, method: string, params: readonly unknown[]): Promise<ResolverReply> {
  return client.request(async (endpoint) => {
    try {
      const data = parseHex(await endpoint.send({ method, params }));
      if (data === null) throw new Error('no hexadecimal data');
      return { kind: 'answer', data };
    } catch (error) {
      if (!(error instanceof RemoteError) || error.fault.kind !== 'refused') throw error;
      const { data, message } = error.fault;
      if (data === undefined && !/revert/i.test(message)) throw error;
      return { kind: 'revert', data };
    }
  });
}

function rootOf(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
}
