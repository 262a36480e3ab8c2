import { describe, expect, it } from 'vitest';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import { MAINNET } from '../model/mainnet.ts';

describe('mainnet deployment', () => {
  const roleOf = createRoleOf(deployments.mainnet);

  it.each([
    [MAINNET.registry, 'list-registry'],
    [MAINNET.accountMetadata, 'account-metadata'],
    ...MAINNET.records.map((records) => [records, 'list-records'] as const),
  ] as const)('has %o as its %s', ({ chainId, address }, role) => {
    expect(roleOf(chainId, address)).toBe(role);
  });

  it('has no other contracts', () => {
    expect(deployments.mainnet.contracts).toHaveLength(5);
  });

  it('finds no role for a contract on another chain', () => {
    expect(roleOf(10, MAINNET.registry.address)).toBeUndefined();
  });
});

describe('testnet deployment', () => {
  const roleOf = createRoleOf(deployments.testnet);

  it.each([
    [84532, '0xddd39d838909bdff7b067a5a42dc92ad4823a26d', 'list-registry'],
    [84532, '0xdaf8088c4dcc8113f49192336cd594300464af8d', 'account-metadata'],
    [84532, '0x63b4e2bb1e9b9d02aef3dc473c5b4b590219fa5e', 'list-records'],
    [11155420, '0x2f644bfec9c8e9ad822744e17d9bf27a42e039fe', 'list-records'],
    [11155111, '0xf8c6aa2a83799d0f984ca501f85f9e634f97fef2', 'list-records'],
  ] as const)('has on chain %i the contract %s as its %s', (chainId, address, role) => {
    expect(roleOf(chainId, address)).toBe(role);
  });

  it('finds no role for a mainnet contract', () => {
    expect(roleOf(MAINNET.registry.chainId, MAINNET.registry.address)).toBeUndefined();
  });
});
