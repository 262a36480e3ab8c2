import { asObject, fail } from '../errors/bad-input.ts';
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
    parseNumber(`startBlocks.${chainId}`, block),
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
    chainId: parseNumber(`${field}.chainId`, raw.chainId),
    address: parseAddress(raw.address) ?? fail(`${field}.address`, 'an address', raw.address),
    role: role ?? fail(`${field}.role`, `one of ${ROLES.join(', ')}`, raw.role),
  };
}

function parseNumber(field: string, value: unknown): number {
  const valid = Number.isSafeInteger(value) && (value as number) >= 0;
  return valid ? (value as number) : fail(field, 'a whole number', value);
}
