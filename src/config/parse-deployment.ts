import { asObject, fail, parseWholeNumber } from '../errors/bad-input.ts';
import type { Contract, Deployment, Role } from '../protocol/deployments.ts';
import { parseAddress } from '../protocol/hex.ts';

const ROLES: readonly Role[] = ['list-registry', 'account-metadata', 'list-records'];

/** Parses a custom deployment: `{ name?, contracts: [{ chainId, role, address }], startBlocks? }`. */
export function parseDeployment(value: unknown): Deployment {
  const raw = asObject(value);
  const { contracts, name = 'custom', startBlocks = {} } = raw;
  if (!Array.isArray(contracts) || contracts.length === 0) return fail('contracts', 'an array of contracts', contracts);
  const blocks = Object.entries(asObject(startBlocks, 'startBlocks')).map(([chainId, block]): [string, number] => [
    chainId,
    parseWholeNumber(`startBlocks.${chainId}`, block, 'a whole number'),
  ]);
  return {
    name: String(name),
    contracts: contracts.map((contract, i) => parseContract(`contracts[${i}]`, asObject(contract, `contracts[${i}]`))),
    startBlocks: Object.fromEntries(blocks),
  };
}

function parseContract(field: string, raw: Record<string, unknown>): Contract {
  const role = ROLES.find((known) => known === raw.role);
  return {
    chainId: parseWholeNumber(`${field}.chainId`, raw.chainId, 'a whole number'),
    address: parseAddress(raw.address) ?? fail(`${field}.address`, 'an address', raw.address),
    role: role ?? fail(`${field}.role`, `one of ${ROLES.join(', ')}`, raw.role),
  };
}
