import {
  concatHex,
  encodeAbiParameters,
  encodeFunctionData,
  type Hex,
  numberToHex,
  parseAbi,
  toFunctionSelector,
} from 'viem';
import { describe, expect, it } from 'vitest';
import type { CcipGateway, CcipRequest } from '../../../src/names/ens/ccip-gateway.ts';
import { createResolverCall, decodeBatch, decodeOffchainLookup } from '../../../src/names/ens/resolver-call.ts';
import { GATEWAYS, UNIVERSAL_RESOLVER } from '../../../src/names/ens/universal-resolver.ts';
import { RemoteError } from '../../../src/remote/remote-error.ts';
import type { Call, Endpoint } from '../../../src/rpc/endpoint.ts';
import { createClientOf } from './client-of.ts';

const LOOKUP = toFunctionSelector('OffchainLookup(address,string[],bytes,bytes4,bytes)');
const queryAbi = parseAbi(['function query((address sender, string[] urls, bytes data)[] requests)']);
const QUERY = toFunctionSelector('query((address,string[],bytes)[])');
const words = (...numbers: readonly number[]) => concatHex(numbers.map((number) => numberToHex(number, { size: 32 })));

const requestOf = (data: Hex, urls: readonly string[] = ['https://a.example']): CcipRequest => ({
  sender: UNIVERSAL_RESOLVER,
  urls,
  data,
});
const batchOf = (...requests: readonly CcipRequest[]) => encodeFunctionData({ abi: queryAbi, args: [requests] });
const lookupOf = ({ sender, urls, data }: CcipRequest): Hex => {
  const types = [{ type: 'address' }, { type: 'string[]' }, { type: 'bytes' }, { type: 'bytes4' }, { type: 'bytes' }];
  return concatHex([LOOKUP, encodeAbiParameters(types, [sender, urls, data, '0x12345678', '0xee'])]);
};

describe('an OffchainLookup', () => {
  it('is decoded', () => {
    const request = requestOf('0xabcd', ['https://a.example', 'https://b.example']);
    expect(decodeOffchainLookup(lookupOf(request))).toEqual({ ...request, callback: '0x12345678', extraData: '0xee' });
  });

  it.each<[string, Hex]>([
    ['whose URLs are one string', words(1, 160, 448, 0, 480, 4, 128, 128, 128, 128, 1, 0, 0, 0, 0)],
    ['whose call data is its extra data', words(1, 160, 192, 0, 192, 0, 1, 0)],
    ['whose call data points outside', words(1, 160, 9_999, 0, 192, 0, 1, 0)],
    ['without data', '0x'],
  ])('is invalid if it is one %s', (_, data) => {
    expect(decodeOffchainLookup(concatHex([LOOKUP, data]))).toBeNull();
  });
});

describe('a batch of requests', () => {
  it('is decoded', () => {
    const requests = [requestOf('0xab'), requestOf('0xcd', [])];
    expect(decodeBatch(requestOf(batchOf(...requests)))).toEqual(requests);
  });

  it.each<[string, Hex]>([
    ['whose requests are one', concatHex([QUERY, words(32, 2, 64, 64, 1, 96, 128, 0, 0)])],
    ['whose requests are longer than it', concatHex([QUERY, words(32, 9_999, 64)])],
    ['of another function', concatHex(['0x12345678', words(32, 0)])],
  ])('is invalid if it is one %s', (_, data) => {
    expect(decodeBatch(requestOf(data))).toBeNull();
  });
});

describe('a call of the resolver', () => {
  /** A call that `answer` answers, with a gateway that returns its call data. Counts both. */
  async function callWith(answer: (call: Call) => unknown) {
    let [calls, requests] = [0, 0];
    const node: Endpoint = {
      host: 'node.example',
      async send(call) {
        if (call.method === 'eth_chainId') return '0x1';
        calls += 1;
        return answer(call);
      },
      sendBatch: async () => [],
    };
    const ccip: CcipGateway = {
      open: () => ({
        async send({ data }) {
          requests += 1;
          return data;
        },
        close: () => undefined,
      }),
    };
    const call = createResolverCall({ client: createClientOf(node, node), ccip });
    const result = await call('records', '0x').catch((error: Error) => error);
    return { result, calls, requests };
  }
  const revert = (data: Hex) => {
    throw new RemoteError('node.example', 'eth_call', { kind: 'refused', code: 3, message: 'reverted', data });
  };
  const respond = (request: CcipRequest) => {
    let rounds = 0;
    return callWith(() => (rounds++ === 0 ? revert(lookupOf(request)) : '0xdd'));
  };
  const nested = (depth: number, data: Hex): CcipRequest =>
    depth === 0 ? requestOf(data) : requestOf(batchOf(nested(depth - 1, data)), GATEWAYS);

  it('sends the requests of a batch within a batch', async () => {
    expect(await respond(nested(2, '0xab'))).toEqual({
      result: { kind: 'return', data: '0xdd' },
      calls: 2,
      requests: 1,
    });
  });

  it('sends none that is nested too deep', async () => {
    expect(await respond(nested(20, '0xab'))).toMatchObject({ calls: 2, requests: 0 });
  });

  it('fails for a batch whose requests are one', async () => {
    const request = requestOf(concatHex([QUERY, words(32, 2, 64, 64, 1, 96, 128, 0, 0)]), GATEWAYS);
    expect(await respond(request)).toMatchObject({
      result: { name: 'UnresolvableError', message: expect.stringContaining('an invalid batch of requests') },
      calls: 1,
      requests: 0,
    });
  });

  it('passes on 4 MiB of hex from gateways at most', async () => {
    const many = Array.from({ length: 6 }, () => requestOf(`0x${'ab'.repeat(2 ** 19)}`));
    const lookup = lookupOf(requestOf(batchOf(...many), GATEWAYS));
    const sent: number[] = [];
    await callWith(({ params }) => {
      // Safe: the call has this form.
      sent.push((params[0] as { data: Hex }).data.length);
      return sent.length === 1 ? revert(lookup) : '0xdd';
    });
    expect(sent[1]).toBeGreaterThan(2 ** 21);
    expect(sent[1]).toBeLessThan(2 ** 22);
  });

  it.each<[string, () => unknown]>([
    ['128 KiB', () => `0x${'00'.repeat(2 ** 17 + 1)}`],
    [
      'what is read of an answer',
      () => {
        throw new RemoteError('node.example', 'eth_call', { kind: 'oversized', maxBytes: 2 ** 20 });
      },
    ],
  ])('fails for return data of more than %s, without asking another node', async (_, answer) => {
    const { result, calls } = await callWith(answer);
    expect(result).toMatchObject({
      name: 'UnresolvableError',
      message: 'ens: records: returned an invalid response: more than 131072 bytes',
    });
    expect(calls).toBe(1);
  });
});
