import { createRequire } from 'node:module';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, labelhash, namehash, pad, parseAbi } from 'viem';
import { UNIVERSAL_RESOLVER } from '../../../src/names/ens/universal-resolver.ts';
import type { Address } from '../../../src/protocol/hex.ts';
import { createEndpoint, type Endpoint } from '../../../src/rpc/endpoint.ts';
import { createRpcClient, type RpcClient } from '../../../src/rpc/rpc-client.ts';
import { type EvmNode, startNode } from '../../indexer/evm-node.ts';
import { contractOf, readCompiled } from '../../support/compiled-contracts.ts';

const OWNER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

export const resolverAbi = parseAbi([
  'function setAddr(bytes32 node, address account)',
  'function setText(bytes32 node, string key, string value)',
  'function setUrls(string[] urls)',
  'function setInsatiable(bool wanted)',
  'function setQuestion(bytes wanted)',
]);
const hashAbi = parseAbi(['function setContenthash(bytes32 node, bytes value)']);
const coinAbi = parseAbi(['function setAddr(bytes32 node, uint256 coinType, bytes value)']);
const reverseAbi = parseAbi([
  'function setName(string name)',
  'function claimWithResolver(address owner, address resolver)',
]);

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** A node with ENS on it. The registry, the public resolver and the reverse registrar are the contracts of ENS. */
export interface EnsNode {
  readonly node: EvmNode;
  readonly publicResolver: Address;
  readonly offchainResolver: Address;
  readonly oldResolver: Address;
  readonly failingResolver: Address;
  readonly revertingResolver: Address;
  /** Deploys a contract in resolvers.sol. */
  deploy(contract: string): Promise<Address>;
  /** The deployed bytecode of a contract in resolvers.sol. */
  codeOf(contract: string): Hex;
  /** Registers the name and its parents, and sets its resolver, if any. */
  register(name: string, resolver: Address | null): Promise<void>;
  /** Sets forward and reverse resolution: the name resolves to the account, which has it as its primary name. */
  adopt(name: string, account: Address): Promise<void>;
  /** Sets the reverse record of the account. */
  claim(account: Address, name: string): Promise<void>;
  /** Sets the resolver of the reverse record of the account. */
  claimWithResolver(account: Address, resolver: Address): Promise<void>;
  /** Sends a transaction to a resolver, in a separate block. */
  send(resolver: Address, data: Hex): Promise<void>;
  /** Replaces the code of the Universal Resolver while `run` runs. */
  withCode<T>(code: Hex, run: () => Promise<T>): Promise<T>;
}

/** An address that no other test uses. */
export function newAccount(): Address {
  accounts += 1;
  return `0x${accounts.toString(16).padStart(40, 'a')}`;
}
let accounts = 0x1000;

export async function startEns(): Promise<EnsNode> {
  const node = await startNode(1);
  try {
    return await buildEns(node);
  } catch (error) {
    await node.stop();
    throw error;
  }
}

async function buildEns(node: EvmNode): Promise<EnsNode> {
  async function send(transaction: { from?: Address; to?: Address; data: Hex }): Promise<Address> {
    const hash = await node.send({ from: OWNER, ...transaction });
    await node.mine();
    const receipt = await node.request<{ status: string; contractAddress: Address }>('eth_getTransactionReceipt', [
      hash,
    ]);
    if (receipt.status !== '0x1') throw new Error('transaction reverted');
    return receipt.contractAddress;
  }
  const deploy = (bytecode: Hex) => send({ data: bytecode });
  const deployArtifact = ({ abi, bytecode }: Artifact, args: readonly Hex[] = []) =>
    deploy(encodeDeployData({ abi, bytecode, args }));

  const registryArtifact = readArtifact('@ensdomains/ens/build/contracts/ENSRegistry.json');
  const registry = await deployArtifact(registryArtifact);
  const setRecord = (parent: string, label: string, owner: Address, resolver: Address) => {
    const args = [namehash(parent), labelhash(label), owner, resolver, 0n];
    return send({
      to: registry,
      data: encodeFunctionData({ abi: registryArtifact.abi, functionName: 'setSubnodeRecord', args }),
    });
  };
  const publicResolver = await deployArtifact(
    readArtifact('@ensdomains/resolver/build/contracts/PublicResolver.json'),
    [registry],
  );
  const registrar = await deployArtifact(readArtifact('@ensdomains/ens/build/contracts/ReverseRegistrar.json'), [
    registry,
    publicResolver,
  ]);
  const none: Address = `0x${'0'.repeat(40)}`;
  await setRecord('', 'reverse', OWNER, none);
  await setRecord('reverse', 'addr', registrar, none);

  const resolvers = readCompiled(new URL('resolvers.sol', import.meta.url));
  const universalResolver = readCompiled(new URL('universal-resolver.sol', import.meta.url));
  const universalCode = contractOf(universalResolver, 'UniversalResolver').deployedBytecode;
  const deployResolver = (contract: string) => deploy(contractOf(resolvers, contract).bytecode);
  await node.request('hardhat_setCode', [UNIVERSAL_RESOLVER, universalCode]);
  await node.request('hardhat_setStorageAt', [UNIVERSAL_RESOLVER, pad('0x0'), pad(registry)]);

  const ens: EnsNode = {
    node,
    publicResolver,
    offchainResolver: await deployResolver('OffchainResolver'),
    oldResolver: await deployResolver('OldResolver'),
    failingResolver: await deployResolver('FailingResolver'),
    revertingResolver: await deployResolver('RevertingResolver'),
    deploy: deployResolver,
    codeOf: (contract) => contractOf(resolvers, contract).deployedBytecode,
    async register(name, resolver) {
      const labels = name.split('.');
      for (let i = labels.length - 1; i >= 0; i--) {
        const parent = labels.slice(i + 1).join('.');
        await setRecord(parent, labels[i] ?? '', OWNER, (i === 0 ? resolver : null) ?? none);
      }
    },
    async adopt(name, account) {
      await ens.register(name, publicResolver);
      await ens.send(publicResolver, setAddr(name, account));
      await ens.claim(account, name);
    },
    async claim(account, name) {
      await send({
        from: account,
        to: registrar,
        data: encodeFunctionData({ abi: reverseAbi, functionName: 'setName', args: [name] }),
      });
    },
    async claimWithResolver(account, resolver) {
      const args = [account, resolver] as const;
      const data = encodeFunctionData({ abi: reverseAbi, functionName: 'claimWithResolver', args });
      await send({ from: account, to: registrar, data });
    },
    async send(resolver, data) {
      await send({ to: resolver, data });
    },
    async withCode(code, run) {
      await node.request('hardhat_setCode', [UNIVERSAL_RESOLVER, code]);
      try {
        return await run();
      } finally {
        await node.request('hardhat_setCode', [UNIVERSAL_RESOLVER, universalCode]);
      }
    },
  };
  return ens;
}

export function setAddr(name: string, account: Address): Hex {
  return encodeFunctionData({ abi: resolverAbi, functionName: 'setAddr', args: [namehash(name), account] });
}

export function setText(name: string, key: string, value: string): Hex {
  return encodeFunctionData({ abi: resolverAbi, functionName: 'setText', args: [namehash(name), key, value] });
}

export function setCoin(name: string, coinType: bigint, value: Hex): Hex {
  return encodeFunctionData({ abi: coinAbi, functionName: 'setAddr', args: [namehash(name), coinType, value] });
}

export function setContenthash(name: string, value: Hex): Hex {
  return encodeFunctionData({ abi: hashAbi, functionName: 'setContenthash', args: [namehash(name), value] });
}

export const nodeAt = (url: string): Endpoint => createEndpoint({ url, fetch: globalThis.fetch, timeoutMs: 5_000 });

/** Calls `onCall` before each eth_call. */
export function watch(endpoint: Endpoint, onCall: () => Promise<void> | void): Endpoint {
  return {
    ...endpoint,
    async send(call) {
      if (call.method === 'eth_call') await onCall();
      return endpoint.send(call);
    },
  };
}

/** A client whose clock advances only by its own sleeps. */
export function createClientOf(...endpoints: readonly Endpoint[]): RpcClient {
  let time = 0;
  return createRpcClient({
    chainId: 1,
    endpoints,
    now: () => time,
    random: () => 1,
    sleep: async (ms) => {
      time += ms;
    },
    onFault: () => undefined,
  });
}

function readArtifact(path: string): Artifact {
  // Safe: the artifacts of the ENS packages have this form.
  return createRequire(import.meta.url)(path) as Artifact;
}
