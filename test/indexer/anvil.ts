import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { encodeFunctionData, type Hex } from 'viem';
import type { RawLog } from '../../src/protocol/parse-log.ts';

/** What one transaction makes one contract log. */
export type Saying = Pick<RawLog, 'address' | 'topics' | 'data'>;

/** A real node of a chain of its own, on which the protocol's contracts say what a test tells them to. */
export interface Anvil {
  readonly chainId: number;
  readonly url: string;
  request<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Puts a contract that can say anything at each address. */
  install(addresses: readonly string[]): Promise<void>;
  /** Mines one block, in which the sayings are logged in order. */
  mine(sayings?: readonly Saying[]): Promise<void>;
  /** Mines empty blocks. */
  mineMany(count: number): Promise<void>;
  /** Takes the newest blocks back. Whatever is mined after that differs from them, even if it says the same. */
  rollBack(depth: number): Promise<void>;
  blockNumber(): Promise<number>;
  /** All logs of the protocol's contracts, as the node tells them in the end. */
  logs(): Promise<RawLog[]>;
  stop(): Promise<void>;
}

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const abi = [
  {
    type: 'function',
    name: 'say',
    stateMutability: 'nonpayable',
    outputs: [],
    inputs: [
      {
        name: 'sayings',
        type: 'tuple[]',
        components: [
          { name: 'topics', type: 'bytes32[]' },
          { name: 'data', type: 'bytes' },
        ],
      },
    ],
  },
] as const;

let code: Hex | undefined;

/** Starts a node that mines when told to. `epoch` sets how far the final block is behind: two epochs of blocks. */
export async function startAnvil(chainId: number, { epoch = 1 } = {}): Promise<Anvil> {
  const binary = createRequire(import.meta.url).resolve('@foundry-rs/anvil/bin.mjs');
  const flags = ['--chain-id', chainId, '--port', 0, '--no-mining', '--slots-in-an-epoch', epoch, '--no-cors'];
  const child = spawn(binary, [...flags.map(String), '--gas-limit', '1000000000', '--order', 'fifo'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await readUrl(child);
  const addresses: string[] = [];
  let nextId = 1;
  let branch = 0;

  const request = async <T>(method: string, params: readonly unknown[] = []): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: nextId++, method, params });
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const { result, error } = (await response.json()) as { result: T; error?: { message: string } };
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  };

  return {
    chainId,
    url,
    request,
    async install(wanted) {
      code ??= compileChatter();
      for (const address of wanted) await request('anvil_setCode', [address, code]);
      addresses.push(...wanted);
    },
    async mine(sayings = []) {
      for (const group of groupByAddress(sayings)) {
        const [first] = group;
        const data = encodeFunctionData({ abi, functionName: 'say', args: [group.map(asArgument)] });
        await request('eth_sendTransaction', [{ from: FROM, to: first?.address, data, gas: '0x2faf080' }]);
      }
      await request('evm_mine');
    },
    mineMany: (count) => request('anvil_mine', [`0x${count.toString(16)}`]),
    async rollBack(depth) {
      await request('anvil_rollback', [depth]);
      branch += 1;
      // The same sayings in the same second would make the same block: who is paid for it tells branches apart.
      await request('anvil_setCoinbase', [`0x${String(branch).padStart(40, 'c')}`]);
    },
    blockNumber: async () => Number(await request<string>('eth_blockNumber')),
    async logs() {
      const found = await request<RawLog[]>('eth_getLogs', [
        { fromBlock: '0x0', toBlock: 'latest', address: addresses },
      ]);
      return found.map((log) => ({ ...log, chainId }));
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

const asArgument = ({ topics, data }: Saying) => ({ topics: topics as Hex[], data: data as Hex });

/** Neighbours that the same contract says go into one transaction. */
function groupByAddress(sayings: readonly Saying[]): Saying[][] {
  const groups: Saying[][] = [];
  for (const saying of sayings) {
    const last = groups.at(-1);
    if (last?.[0]?.address === saying.address) last.push(saying);
    else groups.push([saying]);
  }
  return groups;
}

async function readUrl(child: ChildProcess): Promise<string> {
  if (child.stdout === null) throw new Error('anvil has no standard output');
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /Listening on [\d.]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    child.stdout.resume();
    return `http://127.0.0.1:${port}`;
  }
  throw new Error('anvil did not start');
}

function compileChatter(): Hex {
  const { Chatter } = compileSolidity(new URL('chatter.sol', import.meta.url));
  if (Chatter === undefined) throw new Error('chatter.sol has no Chatter');
  return Chatter.deployedBytecode;
}

export interface CompiledContract {
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

/** The contracts of a file, by their names. */
export function compileSolidity(file: URL): Partial<Record<string, CompiledContract>> {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const content = readFileSync(fileURLToPath(file), 'utf8');
  const selection = ['evm.bytecode.object', 'evm.deployedBytecode.object'];
  const input = {
    language: 'Solidity',
    sources: { 'file.sol': { content } },
    settings: { outputSelection: { '*': { '*': selection } }, evmVersion: 'paris' },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  if (output.contracts === undefined) throw new Error(JSON.stringify(output.errors));
  const compiled = Object.entries(output.contracts['file.sol']).map(([name, { evm }]) => {
    const [bytecode, deployedBytecode] = [evm.bytecode, evm.deployedBytecode].map(({ object }): Hex => `0x${object}`);
    return [name, { bytecode, deployedBytecode }];
  });
  return Object.fromEntries(compiled);
}

interface SolcOutput {
  readonly errors?: unknown;
  readonly contracts?: {
    readonly 'file.sol': Record<string, { readonly evm: Record<'bytecode' | 'deployedBytecode', { object: string }> }>;
  };
}
