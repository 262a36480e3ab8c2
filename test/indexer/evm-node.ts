import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { encodeFunctionData, type Hex } from 'viem';
import { toQuantity } from '../../src/protocol/hex.ts';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import type { Call } from '../../src/rpc/endpoint.ts';
import { contractOf, readCompiled } from '../support/compiled-contracts.ts';
import { createEdrProvider } from './edr-provider.ts';

/** What a contract logs. */
export type EmittedLog = Pick<RawLog, 'address' | 'topics' | 'data'>;

/** A real EVM with its own chain behind a JSON-RPC server, on which the protocol's contracts emit the logs of a test. */
export interface EvmNode {
  readonly chainId: number;
  readonly url: string;
  /** Sends a request without HTTP. */
  request<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Sends a transaction from any account, at no cost. It is pending until the next block. Returns its hash. */
  send(transaction: Transaction): Promise<string>;
  /** Installs the event emitter contract at each address. */
  install(addresses: readonly string[]): Promise<void>;
  /** Mines one block with the pending transactions and these logs, in this order. */
  mine(logs?: readonly EmittedLog[]): Promise<void>;
  /** Mines empty blocks. */
  mineMany(count: number): Promise<void>;
  /** Removes the newest blocks. Blocks that are mined later have other hashes, even with the same logs. */
  rollBack(depth: number): Promise<void>;
  blockNumber(): Promise<number>;
  /** All logs of the installed contracts on the canonical chain. */
  logs(): Promise<RawLog[]>;
  stop(): Promise<void>;
}

interface Transaction {
  readonly from?: string;
  readonly to?: string | undefined;
  readonly data: Hex;
}

interface RpcRequest extends Call {
  readonly id: number;
}

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const SOURCE = new URL('event-emitter.sol', import.meta.url);

/** Starts a node with an empty chain. It mines on request only; the final block is two epochs behind the head. */
export async function startNode(chainId: number, { epoch = 1 } = {}): Promise<EvmNode> {
  const { abi, deployedBytecode } = contractOf(readCompiled(SOURCE), 'EventEmitter');
  const provider = await createEdrProvider(chainId);
  const addresses: string[] = [];
  /** A snapshot per block number, taken before the next block. */
  const snapshots: string[] = [];
  let branch = 0;

  /** Returns JSON with a result or an error. */
  async function answer({ method, params }: Call): Promise<string> {
    const isFinalized = method === 'eth_getBlockByNumber' && params[0] === 'finalized';
    const asked = isFinalized ? [toQuantity(Math.max(0, (await blockNumber()) - 2 * epoch)), params[1]] : params;
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: asked }));
    return method === 'eth_call' ? withGethError(data) : data;
  }
  async function request<T>(method: string, params: readonly unknown[] = []): Promise<T> {
    const { result, error } = JSON.parse(await answer({ method, params }));
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  const blockNumber = async () => Number(await request<string>('eth_blockNumber'));
  async function send({ from = FROM, ...transaction }: Transaction): Promise<string> {
    await request('hardhat_impersonateAccount', [from]);
    return request('eth_sendTransaction', [{ from, gasPrice: '0x0', ...transaction }]);
  }
  async function mine(logs: readonly EmittedLog[] = []): Promise<void> {
    snapshots[await blockNumber()] = await request('evm_snapshot');
    for (const group of groupByAddress(logs)) {
      const data = encodeFunctionData({ abi, functionName: 'emitLogs', args: [group.map(asArgument)] });
      await send({ to: group[0]?.address, data });
    }
    await request('evm_mine');
  }
  const server = await serve(answer);

  return {
    chainId,
    url: server.url,
    request,
    send,
    async install(installed) {
      for (const address of installed) await request('hardhat_setCode', [address, deployedBytecode]);
      addresses.push(...installed);
    },
    mine,
    async mineMany(count) {
      // The blocks of hardhat_mine have no parent hash.
      for (let i = 0; i < count; i++) await mine();
    },
    async rollBack(depth) {
      const target = (await blockNumber()) - depth;
      if (!(await request('evm_revert', [snapshots[target]]))) throw new Error(`no snapshot of block ${target}`);
      branch += 1;
      // The same logs would give the same block hash: the coinbase makes each branch different.
      await request('hardhat_setCoinbase', [`0x${String(branch).padStart(40, 'c')}`]);
    },
    blockNumber,
    async logs() {
      const found = await request<RawLog[]>('eth_getLogs', [
        { fromBlock: '0x0', toBlock: 'latest', address: addresses },
      ]);
      return found.map((log) => ({ ...log, chainId }));
    },
    stop: server.stop,
  };
}

/** Serves single requests and batches over HTTP. */
async function serve(answer: (call: Call) => Promise<string>) {
  const reply = async ({ id, ...call }: RpcRequest) => `{"jsonrpc":"2.0","id":${id},${(await answer(call)).slice(1)}`;
  const server = createServer(async (request, response) => {
    try {
      // Safe: Kith and the proxies of tests are the only clients.
      const body = (await json(request)) as RpcRequest | RpcRequest[];
      const text = Array.isArray(body) ? `[${(await Promise.all(body.map(reply))).join()}]` : await reply(body);
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    } catch (error) {
      response.destroy(error as Error);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Errors of calls as Geth returns them: a revert has code 3 and its bytes in `data`, others have no data. */
function withGethError(json: string): string {
  const { error } = JSON.parse(json);
  if (error === undefined) return json;
  const data = error.data?.reason?.Revert;
  const { code, message } = data === undefined ? error : { code: 3, message: 'execution reverted' };
  return JSON.stringify({ error: { code, message, data } });
}

const asArgument = ({ topics, data }: EmittedLog) => ({ topics: topics as Hex[], data: data as Hex });

/** Consecutive logs of one contract go into one transaction. */
function groupByAddress(logs: readonly EmittedLog[]): EmittedLog[][] {
  const groups: EmittedLog[][] = [];
  for (const log of logs) {
    const last = groups.at(-1);
    if (last?.[0]?.address === log.address) last.push(log);
    else groups.push([log]);
  }
  return groups;
}
