import { encodeDynamicValues, word } from '../protocol/abi.ts';
import { EVENT_TOPICS } from '../protocol/decode-log.ts';
import { encodeAddressTopic, encodeKeyValueData } from '../protocol/encode-log.ts';
import { type Address, type Hex, ZERO_ADDRESS } from '../protocol/hex.ts';
import { addressOf } from './accounts.ts';
import type { DemoOptions } from './demo-options.ts';
import { encodeLocation } from './encode.ts';
import { BASE, contractOf, ETHEREUM, type LogWriter, OPTIMISM } from './log-writer.ts';
import { mix, mixFraction, randomDigits, streamOf } from './random.ts';

const REGISTRY = contractOf('list-registry', BASE);
const ACCOUNT_METADATA = contractOf('account-metadata', BASE);
const NO_LIST = 0xffffffff;
/** Maximum number of slots per account; spaces out the keys that slots are drawn from. */
const MAX_HOMES = 8;

/** Storage location of a list. */
export interface Home {
  readonly chainId: number;
  readonly contract: Address;
  readonly slot: Hex;
}

/** The lists of all accounts, with the events that change them. */
export function createLists({ accounts, seed }: DemoOptions, writer: LogWriter) {
  const slots = streamOf(seed, 'slot');
  const chains = streamOf(seed, 'chain');
  const lists = new Uint32Array(accounts).fill(NO_LIST);
  const homes = new Uint8Array(accounts);
  let nextList = 0;

  /** `key` is unique per storage location. */
  function createHome(key: number): Home {
    const fraction = mixFraction(chains, key);
    const chainId = fraction < 0.7 ? BASE : fraction < 0.9 ? OPTIMISM : ETHEREUM;
    const slot: Hex = `0x${randomDigits(mix(slots, key), 8)}`;
    return { chainId, contract: contractOf('list-records', chainId), slot };
  }

  function homeOf(account: number): Home {
    return createHome(account * MAX_HOMES + (homes[account] ?? 0));
  }

  function listOf(account: number): number {
    return lists[account] ?? NO_LIST;
  }

  function writeTransfer(list: number, from: Address, to: Address): void {
    const topics: Hex[] = [EVENT_TOPICS.Transfer, encodeAddressTopic(from), encodeAddressTopic(to), `0x${word(list)}`];
    writer.write(BASE, REGISTRY, topics, '0x');
  }

  function writeLocation(list: number, { chainId, contract, slot }: Home): void {
    const topics: Hex[] = [EVENT_TOPICS.UpdateListStorageLocation, `0x${word(list)}`];
    writer.write(BASE, REGISTRY, topics, encodeDynamicValues([encodeLocation(chainId, contract, slot)]));
  }

  function writeListMetadata({ chainId, contract, slot }: Home, key: 'user' | 'manager', value: Address): void {
    writer.write(chainId, contract, [EVENT_TOPICS.UpdateListMetadata, slot], encodeKeyValueData(key, value));
  }

  /** The contract of the protocol emits the manager twice. */
  function writeRoles(home: Home, address: Address): void {
    writeListMetadata(home, 'manager', address);
    writeListMetadata(home, 'user', address);
    writeListMetadata(home, 'manager', address);
  }

  return {
    hasList: (account: number) => listOf(account) !== NO_LIST,
    homeOf,

    /** Mints a list and makes it the primary list; a second call mints a second list. */
    mint(account: number): void {
      const address = addressOf(seed, account);
      if (listOf(account) !== NO_LIST) homes[account] = (homes[account] ?? 0) + 1;
      const list = nextList++;
      lists[account] = list;
      const home = homeOf(account);
      writeTransfer(list, ZERO_ADDRESS, address);
      writeLocation(list, home);
      const topics = [EVENT_TOPICS.UpdateAccountMetadata, encodeAddressTopic(address)];
      writer.write(BASE, ACCOUNT_METADATA, topics, encodeKeyValueData('primary-list', `0x${word(list)}`));
      writeRoles(home, address);
    },

    /** Mints a list that is no account's primary list. */
    mintOrphan(owner: Address): void {
      const list = nextList++;
      // Negative keys, which no account uses.
      const home = createHome(-1 - list);
      writeTransfer(list, ZERO_ADDRESS, owner);
      writeLocation(list, home);
      writeListMetadata(home, 'manager', owner);
    },

    transfer(account: number, to: Address): void {
      writeTransfer(listOf(account), addressOf(seed, account), to);
    },

    burn(account: number): void {
      writeTransfer(listOf(account), addressOf(seed, account), ZERO_ADDRESS);
      lists[account] = NO_LIST;
    },

    /** Moves the list to a new slot, after `fill` has written its records there. */
    move(account: number, fill: () => void): void {
      homes[account] = (homes[account] ?? 0) + 1;
      const home = homeOf(account);
      writeRoles(home, addressOf(seed, account));
      fill();
      writeLocation(listOf(account), home);
    },

    writeOp({ chainId, contract, slot }: Home, op: Hex): void {
      writer.write(chainId, contract, [EVENT_TOPICS.ListOp, slot], encodeDynamicValues([op]));
    },
  };
}
