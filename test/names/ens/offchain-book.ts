import { decodeFunctionData, encodeAbiParameters, type Hex, parseAbi } from 'viem';
import type { Address } from '../../../src/protocol/hex.ts';
import { decodeName } from './dns-name.ts';
import type { Handler } from './gateway-server.ts';

/** The records of a name at the gateway. */
export interface Entry {
  readonly name?: string;
  readonly account?: Address;
  /** The result of addr(node, 60) if it differs from addr(node). */
  readonly coin?: Address;
  readonly texts?: Readonly<Record<string, string>>;
}

export const gatewayAbi = parseAbi([
  'function resolve(bytes name, bytes data)',
  'function name(bytes32 node)',
  'function addr(bytes32 node)',
  'function addr(bytes32 node, uint256 coinType)',
  'function text(bytes32 node, string key)',
  'function contenthash(bytes32 node)',
  'function query((address sender, string[] urls, bytes data)[] questions)',
]);

/** The names of the gateway. */
export const book = new Map<string, Entry>();

/** The name and the record of a request. */
export function readQuestion(path: string): { name: string; about: string; result: Hex } {
  const outer = decodeFunctionData({ abi: gatewayAbi, data: /0x[0-9a-f]+(?=\.json$)/.exec(path)?.[0] as Hex });
  if (outer.functionName !== 'resolve') throw new Error('the contract asks something else');
  const name = decodeName(outer.args[0]);
  const inner = decodeFunctionData({ abi: gatewayAbi, data: outer.args[1] });
  const entry = book.get(name) ?? {};
  const account = entry.account ?? `0x${'0'.repeat(40)}`;
  if (inner.functionName === 'name') return { name, about: 'name', result: asString(entry.name ?? '') };
  if (inner.functionName === 'text') {
    return { name, about: inner.args[1], result: asString(entry.texts?.[inner.args[1]] ?? '') };
  }
  if (inner.functionName === 'contenthash') {
    return { name, about: 'contenthash', result: encodeAbiParameters([{ type: 'bytes' }], ['0x']) };
  }
  if (inner.args[1] === undefined) {
    return { name, about: 'account', result: encodeAbiParameters([{ type: 'address' }], [account]) };
  }
  const coin = inner.args[1] === 60n ? (entry.coin ?? entry.account ?? '0x') : '0x';
  return { name, about: `chain ${inner.args[1]}`, result: encodeAbiParameters([{ type: 'bytes' }], [coin]) };
}

const asString = (text: string) => encodeAbiParameters([{ type: 'string' }], [text]);

export const answerFromBook: Handler = ({ path }, response) => {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ data: readQuestion(path).result }));
};

/** Responds from the book, unless `about` overrides it. */
export const misanswer =
  (about: string, handler: Handler): Handler =>
  (request, response) =>
    (readQuestion(request.path).about === about ? handler : answerFromBook)(request, response);
