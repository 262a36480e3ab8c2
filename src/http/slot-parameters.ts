import { type Address, type Hex, parseAddress } from '../protocol/hex.ts';
import { type Parameter, parseInteger } from './parameters.ts';

/** The parameters of a path that name a storage slot. */
export const chainId: Parameter<number> = {
  schema: { type: 'integer', minimum: 0, description: 'Number of a chain.', examples: [8453] },
  expected: 'the number of a chain, decimal',
  parse: (value) => parseInteger(value, 0, Number.MAX_SAFE_INTEGER),
};

export const contract: Parameter<Address> = {
  schema: {
    type: 'string',
    description: 'Address of a list records contract, in any letter case.',
    examples: ['0x41aa48ef3c0446b46a5b1cc6337ff3d3716e2a33'],
  },
  expected: 'an address (0x and 40 hex digits)',
  parse: (value) => parseAddress(value) ?? undefined,
};

/** As 32 bytes. */
export const slot: Parameter<Hex> = {
  schema: {
    type: 'string',
    pattern: '^0x[0-9a-fA-F]{1,64}$',
    description: 'Number of a storage slot, hexadecimal.',
    examples: ['0x1e94223b46b99944d84b37a0f62a3e66638c21b78429b9d59d9f67bd6d736d06'],
  },
  expected: 'a slot, 0x and 1 to 64 hex digits',
  parse: (value) =>
    /^0x[0-9a-f]{1,64}$/i.test(value) ? `0x${value.slice(2).toLowerCase().padStart(64, '0')}` : undefined,
};
