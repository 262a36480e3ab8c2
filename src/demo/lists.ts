import { EVENT_TOPICS } from '../protocol/decode-log.ts';
import { deployments, type Role } from '../protocol/deployments.ts';
import { encodeAddressTopic, encodeDynamicValues, encodeKeyValueData, word } from '../protocol/encode-log.ts';
import { type Address, type Hex, toQuantity, ZERO_ADDRESS } from '../protocol/hex.ts';
import type { RawLog } from '../protocol/parse-log.ts';
import { addressOf, type DemoOptions } from './accounts.ts';
import { mix, mixFraction, randomDigits, streamOf } from './random.ts';

const DAY = 86_400;
const TIMELINE_DAYS = 540;

export const BASE = 8453;
const OPTIMISM = 10;
const ETHEREUM = 1;

export function startOf({ now }: DemoOptions): number {
  return now - TIMELINE_DAYS * DAY;
}

export function contractOf(role: Role, chainId: number): Address {
  const contract = deployments.mainnet?.contracts.find((c) => c.role === role && c.chainId === chainId);
  if (contract === undefined) throw new Error(`no ${role} on chain ${chainId}`);
  return contract.address;
}

export type LogWriter = ReturnType<typeof createLogWriter>;

/** The interval of blocks is constant, so the time of a block follows from its number. */
const BLOCK_SECONDS: Readonly<Record<number, number>> = { [BASE]: 2, [OPTIMISM]: 2, [ETHEREUM]: 12 };

/** Assigns events to blocks of their chains. */
export function createLogWriter(options: DemoOptions) {
  const start = startOf(options);
  const hashes = streamOf(options.seed, 'block');
  const blocks = new Map<number, ReturnType<typeof openBlock>>();
  let time = start;
  let logs: RawLog[] = [];

  function openBlock(chainId: number, timestamp: number, age: number) {
    const number = (deployments.mainnet.startBlocks[chainId] ?? 0) + age;
    const digest = mix(mix(hashes, chainId), number);
    return {
      timestamp,
      // Logs of other contracts precede ours in a block.
      nextLogIndex: digest % 200,
      fields: {
        blockNumber: toQuantity(number),
        blockHash: `0x${randomDigits(digest, 8)}` as const,
        blockTimestamp: toQuantity(timestamp),
      },
    };
  }

  /** The block of a chain at the current time. */
  function currentBlock(chainId: number) {
    const seconds = BLOCK_SECONDS[chainId] ?? 1;
    const age = Math.floor((time - start) / seconds);
    const timestamp = start + age * seconds;
    let block = blocks.get(chainId);
    if (block?.timestamp !== timestamp) {
      block = openBlock(chainId, timestamp, age);
      blocks.set(chainId, block);
    }
    return block;
  }

  return {
    /** Sets the time of the next events, in Unix seconds; never decreases. */
    moveTo(next: number): void {
      time = next;
    },
    write(chainId: number, address: Address, topics: readonly Hex[], data: Hex): void {
      const block = currentBlock(chainId);
      const logIndex = toQuantity(block.nextLogIndex++);
      logs.push({ chainId, address, topics, data, ...block.fields, logIndex });
    },
    /** Returns the logs since the last call. */
    take(): RawLog[] {
      const taken = logs;
      logs = [];
      return taken;
    },
  };
}

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
    const location: Hex = `0x0101${word(chainId)}${contract.slice(2)}${slot.slice(2)}`;
    const topics: Hex[] = [EVENT_TOPICS.UpdateListStorageLocation, `0x${word(list)}`];
    writer.write(BASE, REGISTRY, topics, encodeDynamicValues([location]));
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
