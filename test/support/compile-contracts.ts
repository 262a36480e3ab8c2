import { createRequire } from 'node:module';
import type { Abi } from 'viem';
import { type CompiledContract, type CompiledFile, hashSource, readSource } from './compiled-contracts.ts';

const FILE = 'file.sol';
const OUTPUT = ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object'];

interface SolcOutput {
  readonly errors?: unknown;
  readonly contracts?: Readonly<Record<typeof FILE, Readonly<Record<string, SolcContract>>>>;
}

interface SolcContract {
  readonly abi: Abi;
  readonly evm: Readonly<Record<'bytecode' | 'deployedBytecode', { readonly object: string }>>;
}

/** Compiles a Solidity file. Loading the compiler takes seconds. */
export function compileContracts(source: URL): CompiledFile {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string; version(): string };
  const content = readSource(source);
  const input = {
    language: 'Solidity',
    sources: { [FILE]: { content } },
    settings: { outputSelection: { '*': { '*': OUTPUT } }, optimizer: { enabled: true } },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as SolcOutput;
  if (output.contracts === undefined) throw new Error(JSON.stringify(output.errors));
  const contracts = Object.entries(output.contracts[FILE]).map(([name, { abi, evm }]): [string, CompiledContract] => [
    name,
    { abi, bytecode: `0x${evm.bytecode.object}`, deployedBytecode: `0x${evm.deployedBytecode.object}` },
  ]);
  return { compiler: solc.version(), sourceHash: hashSource(content), contracts: Object.fromEntries(contracts) };
}
