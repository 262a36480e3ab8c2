import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPositionCodec, type Position } from '../../src/live/position.ts';
import { deployments } from '../../src/protocol/deployments.ts';

const codec = createPositionCodec(deployments.mainnet);
const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
const place = fc.record({
  block: number,
  index: number,
  final: number,
  history: fc.oneof(fc.constant(0), number),
  hash: fc
    .array(fc.constantFrom(...'0123456789abcdef'), { minLength: 16, maxLength: 16 })
    .map((digits) => digits.join('')),
});
const positions = fc.array(fc.tuple(number, place), { maxLength: 5 }).map((chains): Position => new Map(chains));

describe('the id of a position', () => {
  it('is URL-safe text that has the whole position', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const id = codec.encode(position);
        expect(id).toMatch(/^[\w-]+$/);
        expect(codec.decode(id)).toEqual(position);
      }),
    );
  });

  it('does not depend on the order in which the chains were read', () => {
    const chains = [...new Map([[1, 5] as const, [8453, 6] as const])].map(
      ([chain, block]) => [chain, { block, index: 0, final: 0, hash: '0123456789abcdef', history: 0 }] as const,
    );
    expect(codec.encode(new Map(chains))).toBe(codec.encode(new Map(chains.toReversed())));
  });

  it('is damaged if any character is another one', () => {
    fc.assert(
      fc.property(positions, fc.nat(), fc.constantFrom(...'Aa0_-'), (position, at, other) => {
        const id = codec.encode(position);
        const i = at % id.length;
        fc.pre(id[i] !== other);
        const damaged = id.slice(0, i) + other + id.slice(i + 1);
        expect(['damaged', 'other-deployment']).toContain(codec.decode(damaged));
      }),
    );
  });

  it.each(['', '1', 'A'.repeat(40), '§', 'a b', `${codec.encode(new Map())}A`, codec.encode(new Map()).slice(1)])(
    'is damaged as %j',
    (text) => {
      expect(codec.decode(text)).toBe('damaged');
    },
  );

  it('is recognised as one of another deployment', () => {
    const id = createPositionCodec(deployments.testnet).encode(new Map());
    expect(codec.decode(id)).toBe('other-deployment');
  });
});
