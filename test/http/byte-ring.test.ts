import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { binaryOf, toBinary } from '../../src/contract/binary-string.ts';
import { ByteRing } from '../../src/http/byte-ring.ts';

const MAX = 4_000;

describe('a ring of bytes', () => {
  it('gives back what was put in last, and lets go of the oldest first, within its memory', () => {
    const puts = fc.array(fc.record({ key: fc.nat(12), length: fc.oneof(fc.nat(200), fc.nat(4_000)) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(puts, (all) => {
        const ring = new ByteRing<number>(MAX);
        /** What was put in, by key, the latest last. */
        const given = new Map<string, { bytes: string; at: number }>();
        all.forEach(({ key, length }, at) => {
          const name = `key ${key}`;
          const bytes = binaryOf(Buffer.alloc(length, at % 256));
          ring.set(name, bytes, at);
          given.delete(name);
          given.set(name, { bytes, at });
          expect(ring.bytes).toBeLessThanOrEqual(MAX);
          if (length <= 2_000) expect(ring.get(name)?.about).toBe(at);

          const kept = [...given].filter(([other]) => ring.get(other) !== undefined);
          for (const [other, expected] of kept) {
            const place = ring.get(other);
            expect([place?.about, place && ring.bytesAt(place)]).toEqual([expected.at, expected.bytes]);
          }
          // None goes before one that came earlier, those aside that never found room.
          const oldest = kept[0]?.[1].at ?? at;
          const gone = [...given.values()].filter(
            ({ at: when, bytes: { length: size } }) => when > oldest && size <= 2_000,
          );
          expect(kept.map(([, value]) => value)).toEqual(expect.arrayContaining(gone));
        });
      }),
    );
  });

  it('has nothing under a key that was never given', () => {
    expect(new ByteRing(MAX).get('nothing')).toBeUndefined();
  });

  it('of no size keeps nothing', () => {
    const ring = new ByteRing(0);
    ring.set('a', toBinary(''), 1);
    expect([ring.get('a'), ring.bytes]).toEqual([undefined, 0]);
  });
});
