import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Abi, Hex } from 'viem';

export interface CompiledContract {
  readonly abi: Abi;
  readonly bytecode: Hex;
  readonly deployedBytecode: Hex;
}

/** A Solidity file as `npm run fixtures` has compiled it: committed, so that no test loads the compiler. */
export interface CompiledFile {
  readonly compiler: string;
  /** SHA-256 of the source. */
  readonly sourceHash: string;
  readonly contracts: Readonly<Record<string, CompiledContract>>;
}

/** Sources, relative to this file. The compiled file has the same name, with the extension .json. */
export const CONTRACT_SOURCES = [
  '../indexer/event-emitter.sol',
  '../names/ens/resolvers.sol',
  '../names/ens/universal-resolver.sol',
].map((path) => new URL(path, import.meta.url));

export const readSource = (source: URL): string => readFileSync(fileURLToPath(source), 'utf8');

export const compiledPath = (source: URL): string => fileURLToPath(source).replace(/\.sol$/, '.json');

export const hashSource = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Reads the compiled form of a Solidity file. */
export function readCompiled(source: URL): CompiledFile {
  // Safe: written by `npm run fixtures`.
  return JSON.parse(readFileSync(compiledPath(source), 'utf8')) as CompiledFile;
}

export function contractOf({ contracts }: CompiledFile, name: string): CompiledContract {
  const contract = contracts[name];
  if (contract === undefined) throw new Error(`no contract ${name} in the compiled file`);
  return contract;
}
