/**
 * Values by their places on the leaderboard, for `most` of them and no more. To a `Map`, numbers as large as places are
 * objects: finding thirty of sixty thousand in one was a tenth of a search.
 */
export class PlaceMap<V> {
  readonly #places: Float64Array;
  readonly #values: (V | undefined)[];
  readonly #mask: number;

  constructor(most: number) {
    // At most half full, so that nobody is far from where they are looked for first.
    const size = 2 ** Math.ceil(Math.log2(2 * most));
    this.#places = new Float64Array(size).fill(FREE);
    this.#values = new Array(size);
    this.#mask = size - 1;
  }

  get(place: number): V | undefined {
    return this.#values[this.#find(place)];
  }

  set(place: number, value: V): void {
    const at = this.#find(place);
    this.#places[at] = place;
    this.#values[at] = value;
  }

  /** Where a place is, or would be. Its last bits are digits of an address, and so mostly spread evenly. */
  #find(place: number): number {
    let at = place & this.#mask;
    while (this.#places[at] !== place && this.#places[at] !== FREE) at = (at + 1) & this.#mask;
    return at;
  }
}

const FREE = -1;
