import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PlaceMap } from '../../src/lookup/place-map.ts';

/** For as many there is room for 128. */
const MOST = 50;
/** Many meet where they are looked for first, at the beginning of the room and at its end; zero is a place as well. */
const place = fc.tuple(fc.constantFrom(0, 1, 126, 127), fc.nat(9)).map(([digits, behind]) => behind * 16 ** 7 + digits);
const places = (maxLength: number) => fc.array(place, { maxLength, size: 'max' });

describe('values by place', () => {
  it('are found as in a map', () => {
    fc.assert(
      fc.property(places(MOST), places(10), (given, others) => {
        const map = new PlaceMap<number>(MOST);
        const model = new Map<number, number>();
        for (const [value, key] of given.entries()) {
          map.set(key, value);
          model.set(key, value);
        }
        for (const key of [...given, ...others, 0]) expect(map.get(key)).toBe(model.get(key));
      }),
    );
  });

  it('are found when there are as many as may be, all meeting in one place', () => {
    const map = new PlaceMap<number>(MOST);
    const keys = Array.from({ length: MOST }, (_, i) => i * 16 ** 7 + 127);
    for (const key of keys) map.set(key, key);
    expect(keys.map((key) => map.get(key))).toEqual(keys);
    expect(map.get(MOST * 16 ** 7 + 127)).toBeUndefined();
  });
});
