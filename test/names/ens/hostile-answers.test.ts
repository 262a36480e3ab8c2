import { concatHex, decodeFunctionData, encodeFunctionResult, type Hex, numberToHex } from 'viem';
import { expect, it } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import { UNIVERSAL_RESOLVER, universalResolverAbi } from '../../../src/names/ens/universal-resolver.ts';
import type { Endpoint } from '../../../src/rpc/endpoint.ts';
import { createClientOf } from './client-of.ts';
import { newAccount } from './ens-node.ts';

const words = (...numbers: readonly number[]) => concatHex(numbers.map((number) => numberToHex(number, { size: 32 })));

/** A resolver whose records are `result`. */
function nodeOf(result: Hex): Endpoint {
  return {
    host: 'node.example',
    async send({ method, params }) {
      if (method === 'eth_chainId') return '0x1';
      // Safe: the call has this form.
      const { data } = params[0] as { data: Hex };
      const { functionName } = decodeFunctionData({ abi: universalResolverAbi, data });
      return functionName === 'reverseWithGateways'
        ? encodeFunctionResult({
            abi: universalResolverAbi,
            functionName,
            result: ['mallory.eth', UNIVERSAL_RESOLVER, UNIVERSAL_RESOLVER],
          })
        : encodeFunctionResult({ abi: universalResolverAbi, functionName, result: [result, UNIVERSAL_RESOLVER] });
    },
    sendBatch: async () => [],
  };
}

/** An array of `count` offsets that all point to one element of `length` bytes. */
const aliased = (count: number, length: number) =>
  concatHex([words(32, count, ...Array(count).fill(count * 32), length), `0x${'ab'.repeat(length)}`]);

it.each([
  ['1,000 offsets to one element of 100 KB', aliased(1_000, 100_000), 'more than 131072 bytes'],
  ['1,000 offsets to one element of 50 KB', aliased(1_000, 50_000), 'unexpected return data'],
  ['as many offsets as records to one element of 100 KB', aliased(30, 100_000), 'unexpected return data'],
] as const)('a profile whose records are %s keeps its name, and no record is decoded', async (_, records, message) => {
  const node = nodeOf(records);
  const source = createChainSource({ client: createClientOf(node), ccip: null, now: () => 0 });
  const profile = await source.fetchProfile(newAccount(), '');
  expect(profile).toMatchObject({ name: 'mallory.eth', records: {}, chains: {} });
  expect(new Set(Object.values(profile.errors))).toEqual(
    new Set([`ens: records: returned an invalid response: ${message}`]),
  );
});
