interface Point {
  readonly number: number;
  /** Unix seconds. */
  readonly time: number;
}

/** Chains whose blocks are a fixed time apart: OP Mainnet, Base and their testnets. */
const SECONDS_PER_BLOCK: Readonly<Record<number, number>> = { 10: 2, 8453: 2, 84532: 2, 11155420: 2 };

/** The times of blocks between two known ones, on a chain whose blocks are a fixed time apart. */
export class BlockClock {
  readonly #seconds: number | undefined;
  #first: Point | undefined;
  #last: Point | undefined;

  constructor(chainId: number) {
    this.#seconds = SECONDS_PER_BLOCK[chainId];
  }

  /** Whether a block below all known ones would help. */
  lacks(number: number): boolean {
    return this.#seconds !== undefined && number < (this.#first?.number ?? Number.POSITIVE_INFINITY);
  }

  /** Learns the time of a block. */
  add({ number, time }: Point): void {
    if (number < (this.#first?.number ?? Number.POSITIVE_INFINITY)) this.#first = { number, time };
    if (number > (this.#last?.number ?? -1)) this.#last = { number, time };
  }

  /** Null unless the first and the last known block are as far apart as they must be: then the time is proven. */
  timeOf(number: number): number | null {
    const [seconds, first, last] = [this.#seconds, this.#first, this.#last];
    if (seconds === undefined || first === undefined || last === undefined) return null;
    if (number < first.number || number > last.number) return null;
    if (last.time - first.time !== seconds * (last.number - first.number)) return null;
    return first.time + seconds * (number - first.number);
  }
}
