import { type Hex, keccak256, slice, stringToHex, toEventSelector } from 'viem';
import {
  accountMetadata,
  addressWord,
  encodeBytes,
  type LogBody,
  listMetadata,
  listOp,
  locationBytes,
  opBytes,
  type SlotRef,
  storageLocation,
  transfer,
  word,
} from './encode-log.ts';
import { MAINNET, TOPICS, ZERO_ADDRESS } from './mainnet.ts';
import type { Random } from './random.ts';
import { randomLocation, randomOp, randomPrimaryList, randomRole } from './random-bytes.ts';

/** Few of each, so that they often collide. */
const ACCOUNTS = Array.from({ length: 12 }, (_, i) => slice(keccak256(stringToHex(`account ${i}`)), 0, 20));
const LISTS = [0n, 1n, 2n, 3n, 8n, 9n, 10n, 11n, 20n, 2n ** 64n] as const;
/** Has no location, and is the largest token id. */
const BARE_LIST = 2n ** 256n - 1n;
const SLOTS: readonly SlotRef[] = [
  { chainId: 8453, slot: 0n },
  { chainId: 10, slot: 0n },
  { chainId: 1, slot: 0n },
  { chainId: 8453, slot: 1n },
  { chainId: 10, slot: 1n },
  { chainId: 1, slot: 2n ** 256n - 1n },
  { chainId: 8453, slot: 2n ** 255n },
  { chainId: 10, slot: 7n },
];

const STRANGER: Hex = '0x00000000000000000000000000000000000000fe';
const APPROVAL = toEventSelector('Approval(address,address,uint256)');
const NEW_OWNER = toEventSelector('OwnershipTransferred(address,address)');
const LIST_KEYS = ['name', 'User', 'user ', 'user\0', '\ufeffuser', '', '__proto__'];
const ACCOUNT_KEYS = ['name', 'Primary-List', 'primary-list\0', '\ufeffprimary-list', 'primarylist', 'user', ''];

/** Logs of one transaction. */
export function randomBodies(random: Random): LogBody[] {
  return random.weighted<LogBody[]>([
    [10, () => easyMint(random)],
    [40, () => randomListOps(random)],
    [6, () => rush(random)],
    [1, () => (random.chance(0.2) ? manyTags(random) : randomListOps(random))],
    [9, () => [randomTransfer(random)]],
    [9, () => [randomLocationUpdate(random)]],
    [8, () => [randomUser(random)]],
    [2, () => [listMetadata(random.pick(SLOTS), 'manager', randomRole(random, random.pick(ACCOUNTS)))]],
    [2, () => [listMetadata(random.pick(SLOTS), random.pick(LIST_KEYS), random.pick(ACCOUNTS))]],
    [9, () => [randomPrimary(random)]],
    [2, () => [accountMetadata(random.pick(ACCOUNTS), random.pick(ACCOUNT_KEYS), word(random.pick(LISTS)))]],
    [6, () => [randomForeign(random)]],
  ]);
}

/** Mostly a list belongs to one slot and a slot to one account; otherwise few primary lists would be valid. */
const accountAt = (random: Random, i: number) => (random.chance(0.9) ? at(ACCOUNTS, i) : random.pick(ACCOUNTS));
const slotAt = (random: Random, i: number) => (random.chance(0.9) ? at(SLOTS, i) : random.pick(SLOTS));
const listAt = (random: Random, i: number) => (random.chance(0.9) ? at(LISTS, i) : random.pick(LISTS));

/** Safe: the remainder lies within the list. */
const at = <T>(items: readonly T[], i: number) => items[i % items.length] as T;

function easyMint(random: Random): LogBody[] {
  const i = random.int(LISTS.length);
  const [account, slot, tokenId] = [accountAt(random, i), slotAt(random, i), listAt(random, i)];
  return [
    transfer(ZERO_ADDRESS, account, tokenId),
    storageLocation(tokenId, locationBytes(slot)),
    accountMetadata(account, 'primary-list', word(tokenId)),
    listMetadata(slot, 'manager', MAINNET.registry.address),
    listMetadata(slot, 'user', account),
    listMetadata(slot, 'manager', account),
  ];
}

/** About as many tags on one record as an entry shows. */
function manyTags(random: Random): LogBody[] {
  const slot = random.pick(SLOTS);
  const record = random.pick(ACCOUNTS);
  const tags = Array.from({ length: 97 + random.int(8) }, (_, i) => `${random.pick(['', '\ue000', '🔥'])}${i}`);
  const ops = tags.map((tag) => listOp(slot, opBytes(3, record, stringToHex(tag))));
  return [listOp(slot, opBytes(1, record)), ...ops];
}

function randomListOps(random: Random): LogBody[] {
  const i = random.int(SLOTS.length);
  return Array.from({ length: 1 + random.int(4) }, () =>
    listOp(at(SLOTS, i), randomOp(random, randomRecord(random, i))),
  );
}

/** Several slots have the same op at the same time, on every chain: ties. */
function rush(random: Random): LogBody[] {
  const record = random.pick(ACCOUNTS);
  const op = random.chance(0.7) ? opBytes(1, record) : randomOp(random, record);
  return SLOTS.filter(() => random.chance(0.7)).map((slot) => listOp(slot, op));
}

/** The first accounts more often than the last, so that some are popular. */
function randomRecord(random: Random, slot: number): Hex {
  return random.weighted<Hex>([
    [60, () => at(ACCOUNTS, random.int(6))],
    [35, () => random.pick(ACCOUNTS)],
    [4, () => at(ACCOUNTS, slot)],
    [1, () => ZERO_ADDRESS],
  ]);
}

function randomTransfer(random: Random): LogBody {
  const tokenId = random.pick([...LISTS, BARE_LIST]);
  const [from, to] = [random.pick(ACCOUNTS), random.pick(ACCOUNTS)];
  return random.weighted<LogBody>([
    [3, () => transfer(from, to, tokenId)],
    [2, () => transfer(from, ZERO_ADDRESS, tokenId)],
    [2, () => transfer(ZERO_ADDRESS, to, tokenId)],
  ]);
}

function randomLocationUpdate(random: Random): LogBody {
  const i = random.int(LISTS.length);
  return storageLocation(at(LISTS, i), randomLocation(random, slotAt(random, i)));
}

function randomUser(random: Random): LogBody {
  const i = random.int(SLOTS.length);
  return listMetadata(at(SLOTS, i), 'user', randomRole(random, accountAt(random, i)));
}

function randomPrimary(random: Random): LogBody {
  const i = random.int(ACCOUNTS.length);
  return accountMetadata(at(ACCOUNTS, i), 'primary-list', randomPrimaryList(random, listAt(random, i)));
}

/** Logs without effect: of other contracts, of a known contract on the wrong chain, or of another event. */
function randomForeign(random: Random): LogBody {
  const slot = random.pick(SLOTS);
  const [one, other] = [random.pick(ACCOUNTS), random.pick(ACCOUNTS)];
  const tokenId = random.pick(LISTS);
  const burn = transfer(one, ZERO_ADDRESS, tokenId);
  const user = listMetadata(slot, 'user', one);
  const primary = accountMetadata(one, 'primary-list', '0x');
  const op = listOp(slot, opBytes(2, one));
  return random.pick<LogBody>([
    { ...burn, address: STRANGER },
    { ...burn, chainId: 10 },
    { ...burn, address: STRANGER, topics: burn.topics.slice(0, 3), data: word(tokenId) },
    { ...user, address: STRANGER },
    { ...user, chainId: slot.chainId === 10 ? 1 : 10 },
    { ...primary, chainId: 1 },
    { ...op, address: STRANGER },
    { ...op, chainId: 8453, address: MAINNET.accountMetadata.address },
    { ...op, chainId: 8453, address: MAINNET.registry.address },
    { ...op, topics: [TOPICS.location, word(tokenId)], data: encodeBytes('0x') },
    { ...op, topics: [] },
    { ...op, topics: [NEW_OWNER, addressWord(one), addressWord(other)], data: '0x' },
    { ...MAINNET.registry, topics: [APPROVAL, addressWord(one), word(0n), word(tokenId)], data: '0x' },
  ]);
}
