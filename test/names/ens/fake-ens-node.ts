import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeFunctionResult,
  type Hex,
  parseAbi,
} from 'viem';
import { universalResolverAbi } from '../../../src/names/ens/universal-resolver.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { decodeName } from './dns-name.ts';

/** A received `eth_call`. */
interface EnsRequest {
  readonly call: 'reverse' | 'address' | 'records';
  /** The account of a reverse resolution, the name of the others. */
  readonly query: string;
  readonly authorization: string | undefined;
}

/**
 * What happens instead of a response: a JSON-RPC error, a revert of the resolver, HTTP status 503, no response, or one
 * that is sent later.
 */
type Fault = 'error' | 'revert' | 'unavailable' | 'hang' | ((send: () => void) => void);

interface NameRecord {
  readonly account: Address;
  readonly texts?: Readonly<Record<string, string>>;
  /** Text records that revert. */
  readonly failing?: readonly string[];
}

/** A JSON-RPC node that answers the calls of the Universal Resolver from a table, and counts them. */
export interface FakeEnsNode {
  readonly url: string;
  readonly requests: EnsRequest[];
  /** Selects the requests that fail, and how. */
  faultOf: (request: EnsRequest) => Fault | undefined;
  /** Adds a name with forward and reverse resolution. */
  addName(name: string, account: Address, records?: Omit<NameRecord, 'account'>): void;
  /** Adds forward resolution only. */
  addForward(name: string, account: Address): void;
  stop(): Promise<void>;
}

const RESOLVER = '0x231b0ee14048e9dccd1d247744d114a4eb5e8e63';
const recordsAbi = parseAbi([
  'function multicall(bytes[] calls)',
  'function text(bytes32 node, string key)',
  'function addr(bytes32 node)',
  'function addr(bytes32 node, uint256 coinType)',
  'function contenthash(bytes32 node)',
]);
const ETH = 60n;

const error = (errorName: 'Error', message: string) =>
  encodeErrorResult({ abi: universalResolverAbi, errorName, args: [message] });
const notFound = encodeErrorResult({ abi: universalResolverAbi, errorName: 'ResolverNotFound', args: ['0x'] });
const reverted = encodeErrorResult({
  abi: universalResolverAbi,
  errorName: 'ResolverError',
  args: [error('Error', 'gone')],
});

type Result = { readonly result: Hex } | { readonly revert: Hex };

interface JsonRpcCall {
  readonly id: number;
  readonly method: string;
  readonly params: readonly [{ readonly data: Hex }];
}

export async function startFakeEnsNode(): Promise<FakeEnsNode> {
  const primaryNames = new Map<string, string>();
  const names = new Map<string, NameRecord>();

  function reverse(account: string): Result {
    const name = primaryNames.get(account);
    if (name === undefined || names.get(name)?.account !== account) return { revert: notFound };
    const result = [name, RESOLVER, RESOLVER] as const;
    return {
      result: encodeFunctionResult({ abi: universalResolverAbi, functionName: 'reverseWithGateways', result }),
    };
  }

  function forward(name: string, call: Hex): Result {
    const record = names.get(name);
    if (record === undefined) return { revert: notFound };
    const result = [resolve(record, call), RESOLVER] as const;
    return {
      result: encodeFunctionResult({ abi: universalResolverAbi, functionName: 'resolveWithGateways', result }),
    };
  }

  function read(data: Hex, authorization: string | undefined): { request: EnsRequest; result: Result } {
    const { functionName, args } = decodeFunctionData({ abi: universalResolverAbi, data });
    if (functionName === 'reverseWithGateways') {
      const [query] = args;
      return { request: { call: 'reverse', query, authorization }, result: reverse(query) };
    }
    const query = decodeName(args[0]);
    const inner = decodeFunctionData({ abi: recordsAbi, data: args[1] }).functionName;
    const call = inner === 'multicall' ? 'records' : 'address';
    return { request: { call, query, authorization }, result: forward(query, args[1]) };
  }

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = (await json(message)) as JsonRpcCall;
    const send = (body: object) => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
    };
    if (method === 'eth_chainId') return send({ result: '0x1' });
    if (method !== 'eth_call') return send({ error: { code: -32601, message: `${method} is not available` } });
    const { request, result } = read(params[0].data, message.headers.authorization);
    node.requests.push(request);
    const sendRevert = (data: Hex) => send({ error: { code: 3, message: 'execution reverted', data } });
    const sendResult = () => ('result' in result ? send(result) : sendRevert(result.revert));
    const fault = node.faultOf(request);
    switch (fault) {
      case undefined:
        return sendResult();
      case 'error':
        return send({ error: { code: -32603, message: 'internal error' } });
      case 'revert':
        return sendRevert(reverted);
      case 'unavailable':
        response.writeHead(503).end();
        return;
      case 'hang':
        return;
      default:
        return fault(sendResult);
    }
  }

  const server = createServer((message, response) => void answer(message, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const node: FakeEnsNode = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    faultOf: () => undefined,
    addName(name, account, records = {}) {
      primaryNames.set(account, name);
      names.set(name, { account, ...records });
    },
    addForward(name, account) {
      names.set(name, { account });
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return node;
}

/** The return data of a resolver. */
function resolve(record: NameRecord, data: Hex): Hex {
  const { account, texts, failing } = record;
  const { functionName, args } = decodeFunctionData({ abi: recordsAbi, data });
  switch (functionName) {
    case 'multicall':
      return encodeAbiParameters([{ type: 'bytes[]' }], [args[0].map((call) => resolve(record, call))]);
    case 'text': {
      const key = args[1];
      if (failing?.includes(key)) return error('Error', 'gone');
      return encodeAbiParameters([{ type: 'string' }], [texts?.[key] ?? '']);
    }
    case 'contenthash':
      return encodeAbiParameters([{ type: 'bytes' }], ['0x']);
    case 'addr':
      return args[1] === undefined
        ? encodeAbiParameters([{ type: 'address' }], [account])
        : encodeAbiParameters([{ type: 'bytes' }], [args[1] === ETH ? account : '0x']);
  }
}
