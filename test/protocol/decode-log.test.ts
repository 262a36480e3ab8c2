import { concatHex, type Hex, stringToHex, toEventSelector } from 'viem';
import { describe, expect, it } from 'vitest';
import { type ChainLog, decodeLog, EVENT_TOPICS } from '../../src/protocol/decode-log.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  listOp,
  opBytes,
  type SlotRef,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { MAINNET, ZERO_ADDRESS } from '../model/mainnet.ts';

const ANN: Hex = `0x${'a1'.repeat(20)}`;
const BOB: Hex = `0x${'b2'.repeat(20)}`;
const SLOT: SlotRef = { chainId: 10, slot: 5n };
const SLOT_KEY = `10/0x4ca00413d850dcfa3516e14d21dae2772f2acb85/${word(5n)}`;
const MAX = 2n ** 256n - 1n;

const position = { blockNumber: 1, blockHash: word(1n), blockTime: 1, logIndex: 0 } satisfies Partial<ChainLog>;
const decode = (body: LogBody) => decodeLog(createRoleOf(deployments.mainnet), { ...body, ...position });
const write = (subject: string, part: string, payload: Hex) => ({ kind: 'write', subject, part, payload });
const ignored = (reason: string) => ({ kind: 'ignored', reason });

describe('EVENT_TOPICS', () => {
  it.each([
    ['Transfer', 'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)'],
    [
      'UpdateListStorageLocation',
      'event UpdateListStorageLocation(uint256 indexed tokenId, bytes listStorageLocation)',
    ],
    ['UpdateAccountMetadata', 'event UpdateAccountMetadata(address indexed addr, string key, bytes value)'],
    ['ListOp', 'event ListOp(uint256 indexed slot, bytes op)'],
    ['UpdateListMetadata', 'event UpdateListMetadata(uint256 indexed slot, string key, bytes value)'],
  ] as const)('has the hash of the signature of %s', (name, signature) => {
    expect(EVENT_TOPICS[name]).toBe(toEventSelector(signature));
  });
});

describe('decodeLog of a valid event', () => {
  const dirtyWord: Hex = `0x${'ff'.repeat(12)}${BOB.slice(2)}`;
  const dirtyTransfer = {
    ...MAINNET.registry,
    topics: [EVENT_TOPICS.Transfer, dirtyWord, dirtyWord, word(7n)],
    data: '0x',
  } as const;

  it.each<[string, LogBody, object]>([
    ['sets the owner for a transfer', transfer(ANN, BOB, 7n), write('list/7', 'owner', BOB)],
    ['sets the owner of list 0 for a mint', transfer(ZERO_ADDRESS, ANN, 0n), write('list/0', 'owner', ANN)],
    [
      'sets the zero address as owner for a burn',
      transfer(ANN, ZERO_ADDRESS, 7n),
      write('list/7', 'owner', ZERO_ADDRESS),
    ],
    ['takes the last 20 bytes of a topic as the account', dirtyTransfer, write('list/7', 'owner', BOB)],
    ['accepts the greatest token id', transfer(ANN, BOB, MAX), write(`list/${MAX}`, 'owner', BOB)],
    ['keeps a storage location as raw bytes', storageLocation(7n, '0x0102'), write('list/7', 'location', '0x0102')],
    ['accepts an empty storage location', storageLocation(7n, '0x'), write('list/7', 'location', '0x')],
    [
      'sets the primary list of an account',
      accountMetadata(ANN, 'primary-list', '0x07'),
      write(`account/${ANN}`, 'primary-list', '0x07'),
    ],
    ['sets the user of a slot', listMetadata(SLOT, 'user', ANN), write(SLOT_KEY, 'user', ANN)],
    ['sets the manager of a slot', listMetadata(SLOT, 'manager', '0x'), write(SLOT_KEY, 'manager', '0x')],
  ])('%s', (_, body, expected) => {
    expect(decode(body)).toEqual(expected);
  });

  it.each([1, 2, 3, 4])('writes the raw op of opcode %i to the cell of its record', (opcode) => {
    const op = opBytes(opcode, BOB, stringToHex(' Close '));
    const decoded = { kind: 'op', opcode, record: BOB, tag: opcode > 2 ? 'close' : '' };
    expect(decode(listOp(SLOT, op))).toEqual({ ...write(SLOT_KEY, BOB, op), op: decoded });
  });

  it.each(MAINNET.records)('identifies a slot by chain and contract on chain $chainId', ({ chainId, address }) => {
    const op = opBytes(1, BOB);
    const expected = write(`${chainId}/${address}/${word(5n)}`, BOB, op);
    expect(decode(listOp({ chainId, slot: 5n }, op))).toMatchObject(expected);
  });
});

describe('decodeLog of an invalid list op', () => {
  it.each<[string, Hex]>([
    ['op-too-short', '0x'],
    ['unknown-version', concatHex(['0x02010101', BOB])],
    ['unknown-opcode', opBytes(5, BOB)],
    ['unknown-record', concatHex(['0x01010102', BOB])],
    ['tag-empty', opBytes(3, BOB)],
    ['tag-not-utf8', opBytes(4, BOB, '0xff')],
    ['tag-too-long', opBytes(3, BOB, `0x${'61'.repeat(256)}`)],
  ])('writes it to the ignored part with the reason %s', (reason, op) => {
    expect(decode(listOp(SLOT, op))).toEqual({ ...write(SLOT_KEY, 'ignored', op), ignored: reason });
  });
});

describe('decodeLog of an address with a role on two chains', () => {
  const address = '0x5289fe5dabc021d02fddf23d4a4df96f4e0f17ef';
  const metadata = accountMetadata(ANN, 'primary-list', '0x07');
  const op = listOp({ chainId: 1, slot: 5n }, opBytes(1, BOB));

  it.each<[string, LogBody, object]>([
    ['decodes account metadata on Base', { ...metadata, chainId: 8453, address }, { subject: `account/${ANN}` }],
    ['decodes list ops on Ethereum', { ...op, chainId: 1, address }, { subject: `1/${address}/${word(5n)}` }],
    ['ignores list ops on Base', { ...op, chainId: 8453, address }, ignored('other-event')],
    ['ignores account metadata on Ethereum', { ...metadata, chainId: 1, address }, ignored('other-event')],
    ['ignores the address on OP Mainnet', { ...op, chainId: 10, address }, ignored('other-contract')],
  ])('%s', (_, body, expected) => {
    expect(decode(body)).toMatchObject(expected);
  });
});

describe('decodeLog of another event', () => {
  const mint = transfer(ZERO_ADDRESS, ANN, 7n);
  const op = listOp(SLOT, opBytes(1, BOB));
  const approval = toEventSelector('Approval(address,address,uint256)');
  const almostListOp = toEventSelector('ListOp(uint256,string)');

  it.each<[string, LogBody, string]>([
    ['a log of an unknown contract', { ...mint, address: ANN }, 'other-contract'],
    ['a log of a known contract on another chain', { ...mint, chainId: 10 }, 'other-contract'],
    ['an unknown event', { ...mint, topics: [approval, ...mint.topics.slice(1)] }, 'other-event'],
    ['an event with almost the same signature', { ...op, topics: [almostListOp, word(5n)] }, 'other-event'],
    ['an event that belongs to another contract', { ...op, ...MAINNET.registry }, 'other-event'],
    ['a log without topics', { ...op, topics: [] }, 'other-event'],
    ['a transfer without indexed values', { ...mint, topics: mint.topics.slice(0, 1) }, 'malformed-event'],
    ['a transfer without a receiver', { ...mint, topics: mint.topics.slice(0, 2) }, 'malformed-event'],
    ['a transfer without a token id, as of ERC-20', { ...mint, topics: mint.topics.slice(0, 3) }, 'malformed-event'],
    ['a transfer whose receiver is not 32 bytes', { ...mint, topics: mint.topics.with(2, ANN) }, 'malformed-event'],
    ['a list op without a slot', { ...op, topics: [EVENT_TOPICS.ListOp] }, 'malformed-event'],
    ['a list op whose slot is not 32 bytes', { ...op, topics: [EVENT_TOPICS.ListOp, '0x05'] }, 'malformed-event'],
    ['a list op without data', { ...op, data: '0x' }, 'malformed-event'],
    ['a storage location without data', { ...storageLocation(7n, '0x'), data: '0x' }, 'malformed-event'],
    ['account metadata without a value', { ...accountMetadata(ANN, '', '0x'), data: word(64n) }, 'malformed-event'],
    ['list metadata without a value', { ...listMetadata(SLOT, 'user', ANN), data: word(64n) }, 'malformed-event'],
  ])('ignores %s', (_, body, reason) => {
    expect(decode(body)).toEqual(ignored(reason));
  });

  it.each(['', 'User', 'user ', ' user', 'user\0', '\ufeffuser', 'users', 'use', 'owner', 'primary-list'])(
    'ignores list metadata with the key %j',
    (key) => {
      expect(decode(listMetadata(SLOT, key, ANN))).toEqual(ignored('unknown-key'));
    },
  );

  it.each(['', 'Primary-List', 'primary-list\0', 'primary_list', 'primary-lists', 'primary-lis', 'user', 'manager'])(
    'ignores account metadata with the key %j',
    (key) => {
      expect(decode(accountMetadata(ANN, key, '0x07'))).toEqual(ignored('unknown-key'));
    },
  );
});
