import type { Address } from './hex.ts';

export type Role = 'list-registry' | 'account-metadata' | 'list-records';

export interface Contract {
  readonly chainId: number;
  readonly address: Address;
  readonly role: Role;
  /** Only of a contract that was added to the deployment: a block before its first log. */
  readonly startBlock?: number;
}

/**
 * The contracts of one instance of the protocol, on all of its chains.
 * @see https://docs.efp.app/production/deployments/
 */
export interface Deployment {
  readonly name: string;
  readonly contracts: readonly Contract[];
  /** By chain, a block before the first log of the contracts. */
  readonly startBlocks: Readonly<Record<number, number>>;
}

const mainnet: Deployment = {
  name: 'mainnet',
  contracts: [
    { chainId: 8453, role: 'list-registry', address: '0x0e688f5dca4a0a4729946acbc44c792341714e08' },
    { chainId: 8453, role: 'account-metadata', address: '0x5289fe5dabc021d02fddf23d4a4df96f4e0f17ef' },
    { chainId: 8453, role: 'list-records', address: '0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33' },
    { chainId: 10, role: 'list-records', address: '0x4ca00413d850dcfa3516e14d21dae2772f2acb85' },
    { chainId: 1, role: 'list-records', address: '0x5289fe5dabc021d02fddf23d4a4df96f4e0f17ef' },
  ],
  startBlocks: { 8453: 20_180_000, 10: 125_790_000, 1: 20_820_000 },
};

const testnet: Deployment = {
  name: 'testnet',
  contracts: [
    { chainId: 84532, role: 'list-registry', address: '0xddd39d838909bdff7b067a5a42dc92ad4823a26d' },
    { chainId: 84532, role: 'account-metadata', address: '0xdaf8088c4dcc8113f49192336cd594300464af8d' },
    { chainId: 84532, role: 'list-records', address: '0x63b4e2bb1e9b9d02aef3dc473c5b4b590219fa5e' },
    { chainId: 11155420, role: 'list-records', address: '0x2f644bfec9c8e9ad822744e17d9bf27a42e039fe' },
    { chainId: 11155111, role: 'list-records', address: '0xf8c6aa2a83799d0f984ca501f85f9e634f97fef2' },
  ],
  startBlocks: {},
};

export const deployments = { mainnet, testnet } as const;

/** The chains of a deployment; the one with the list registry is first. */
export function chainsOf({ contracts }: Deployment): number[] {
  return [...new Set(contracts.map(({ chainId }) => chainId))];
}

export function contractsOn({ contracts }: Deployment, chainId: number): Contract[] {
  return contracts.filter((contract) => contract.chainId === chainId);
}

/** A block before the first log of some contracts of a chain. `ofDeployment` is that of contracts that were not added. */
export function firstBlockOf(contracts: readonly Contract[], ofDeployment: number): number {
  return Math.min(...contracts.map(({ startBlock }) => startBlock ?? ofDeployment));
}

/** Finds the role of a contract. One address has different roles on different chains, so both are the key. */
export type RoleOf = (chainId: number, address: Address) => Role | undefined;

export function createRoleOf(deployment: Deployment): RoleOf {
  return (chainId, address) =>
    deployment.contracts.find((contract) => contract.chainId === chainId && contract.address === address)?.role;
}
