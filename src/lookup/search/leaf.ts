import { GramFilter } from './gram-filter.ts';

/** A member of the leaderboard, with what it is searched by. */
export interface Entry {
  readonly account: number;
  readonly followers: number;
  readonly address: Buffer;
  /** In lower case, UTF-8; empty if there is none. */
  readonly name: Buffer;
}

export const ADDRESS_BYTES = 20;
/** A leaf has fewer entries: its position times this and the index of an entry give the place of a member in the order. */
export const LEAF_PLACES = 2 ** 16;
/** Ends each name: a byte that UTF-8 does not have. */
export const END_OF_NAME = 0xff;
/** A tenth of the bits for names is set, and a quarter of those for addresses. */
const [NAME_BITS, DIGIT_BITS] = [15, 16];

/** By followers, then by address: the order of the leaderboard. */
export function compareEntries(a: Entry, b: Entry): number {
  return b.followers - a.followers || a.address.compare(b.address);
}

/** Consecutive members of the leaderboard. Its data does not change: a search may go on with a leaf that was replaced. */
export class Leaf {
  readonly accounts: Int32Array;
  readonly #followers: Int32Array;
  /** All addresses, one after another. */
  readonly addresses: Buffer;
  /** All names, each with its end. */
  readonly names: Buffer;
  /** Where each name starts, and the end of the last one. */
  readonly starts: Int32Array;
  /** Of each name with the end of the one before and its own. */
  readonly nameFilter = new GramFilter(NAME_BITS);
  readonly addressFilter = new GramFilter(DIGIT_BITS);
  /** The index of this leaf among those of its list, which sets it. */
  position = 0;
  /** Identifies the leaf in its list, which sets it. */
  id = 0;

  constructor(entries: readonly Entry[]) {
    this.accounts = Int32Array.from(entries, ({ account }) => account);
    this.#followers = Int32Array.from(entries, ({ followers }) => followers);
    this.addresses = Buffer.allocUnsafeSlow(entries.length * ADDRESS_BYTES);
    this.starts = new Int32Array(entries.length + 1);
    this.names = Buffer.allocUnsafeSlow(entries.reduce((sum, { name }) => sum + name.length + 1, 0));
    let end = 0;
    for (const [i, { address, name }] of entries.entries()) {
      this.addresses.set(address, i * ADDRESS_BYTES);
      this.names.set(name, end);
      end += name.length + 1;
      this.names[end - 1] = END_OF_NAME;
      this.starts[i + 1] = end;
    }
    this.nameFilter.addText(Buffer.concat([Buffer.of(END_OF_NAME), this.names]));
    this.addressFilter.addDigits(this.addresses, ADDRESS_BYTES);
  }

  get size(): number {
    return this.accounts.length;
  }

  /** Where a name starts, and where it ends. */
  startOf(i: number): number {
    return this.starts[i] ?? 0;
  }
  endOf(i: number): number {
    return (this.starts[i + 1] ?? 0) - 1;
  }

  /** The entry whose name includes a byte. */
  indexAt(byte: number): number {
    let [low, high] = [0, this.size - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.startOf(middle) <= byte) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  followers(i: number): number {
    return this.#followers[i] ?? 0;
  }

  nameOf(i: number): string {
    return this.names.toString('utf8', this.startOf(i), this.endOf(i));
  }

  addressOf(i: number): string {
    return `0x${this.addresses.toString('hex', i * ADDRESS_BYTES, (i + 1) * ADDRESS_BYTES)}`;
  }

  entry(i: number): Entry {
    return {
      account: this.accounts[i] ?? 0,
      followers: this.followers(i),
      address: this.addresses.subarray(i * ADDRESS_BYTES, (i + 1) * ADDRESS_BYTES),
      name: this.names.subarray(this.startOf(i), this.endOf(i)),
    };
  }

  /** All entries but those of some accounts. */
  entriesWithout(accounts: ReadonlySet<number>): Entry[] {
    const entries: Entry[] = [];
    for (let i = 0; i < this.size; i++) if (!accounts.has(this.accounts[i] ?? 0)) entries.push(this.entry(i));
    return entries;
  }
}
