import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlaceMap } from '../../src/lookup/place-map.ts';

const MOST = 50;
/** Of few digits in the end, so that many meet where they are looked for first; zero is a place as well. */
const place = fc.tuple(fc.nat(3), fc.nat(2 ** 24 - 1)).map(([digits, behind]) => behind * 16 ** 7 + digits);

describe('values by place', () => {
  it('are found as in a map', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat()), { maxLength: MOST }), fc.array(place), (pairs, others) => {
        const places = new PlaceMap<number>(MOST);
        for (const [key, value] of pairs) places.set(key, value);
        const model = new Map(pairs);
        for (const key of [...model.keys(), ...others, 0]) expect(places.get(key)).toBe(model.get(key));
      }),
    );
  });
});
