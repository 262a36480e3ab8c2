import { encodeFunctionData, type Hex } from 'viem';
import type { RawLog } from '../../src/protocol/parse-log.ts';
import { contractOf, readCompiled } from '../support/compiled-contracts.ts';
import { takeAnvilProcess } from './anvil-process.ts';

/** What a contract logs. */
export type EmittedLog = Pick<RawLog, 'address' | 'topics' | 'data'>;

/** A real EVM node with its own chain, on which the protocol's contracts emit the logs of a test. */
export interface Anvil {
  readonly chainId: number;
  readonly url: string;
  request<T>(method: string, params?: readonly unknown[]): Promise<T>;
  /** Installs the event emitter contract at each address. */
  install(addresses: readonly string[]): Promise<void>;
  /** Mines one block with these logs, in this order. */
  mine(logs?: readonly EmittedLog[]): Promise<void>;
  /** Mines empty blocks. */
  mineMany(count: number): Promise<void>;
  /** Removes the newest blocks. Blocks that are mined later have other hashes, even with the same logs. */
  rollBack(depth: number): Promise<void>;
  blockNumber(): Promise<number>;
  /** All logs of the installed contracts on the canonical chain. */
  logs(): Promise<RawLog[]>;
  /** Empties the chain and returns the node to the pool of this worker. */
  stop(): Promise<void>;
}

const FROM = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const SOURCE = new URL('event-emitter.sol', import.meta.url);

/** Takes a node from the pool of this worker. It mines on request only; the final block is two epochs behind the head. */
export async function startAnvil(chainId: number, { epoch = 1 } = {}): Promise<Anvil> {
  const { abi, deployedBytecode } = contractOf(readCompiled(SOURCE), 'EventEmitter');
  const { node, release } = await takeAnvilProcess({ chainId, epoch });
  const { url, request } = node;
  const addresses: string[] = [];
  let branch = 0;

  return {
    chainId,
    url,
    request,
    async install(installed) {
      for (const address of installed) await request('anvil_setCode', [address, deployedBytecode]);
      addresses.push(...installed);
    },
    async mine(logs = []) {
      for (const group of groupByAddress(logs)) {
        const [first] = group;
        const data = encodeFunctionData({ abi, functionName: 'emitLogs', args: [group.map(asArgument)] });
        await request('eth_sendTransaction', [{ from: FROM, to: first?.address, data, gas: '0x2faf080' }]);
      }
      await request('evm_mine');
    },
    mineMany: (count) => request('anvil_mine', [`0x${count.toString(16)}`]),
    async rollBack(depth) {
      await request('anvil_rollback', [depth]);
      branch += 1;
      // Equal logs in the same second would give an equal block hash: the coinbase makes each branch different.
      await request('anvil_setCoinbase', [`0x${String(branch).padStart(40, 'c')}`]);
    },
    blockNumber: async () => Number(await request<string>('eth_blockNumber')),
    async logs() {
      const found = await request<RawLog[]>('eth_getLogs', [
        { fromBlock: '0x0', toBlock: 'latest', address: addresses },
      ]);
      return found.map((log) => ({ ...log, chainId }));
    },
    stop: release,
  };
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
