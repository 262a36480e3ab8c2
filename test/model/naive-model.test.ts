import { concatHex, type Hex, stringToHex } from 'viem';
import { describe, expect, it } from 'vitest';
import {
  accountMetadata,
  listMetadata,
  listOp,
  locationBytes,
  opBytes,
  storageLocation,
  transfer,
  word,
} from './encode-log.ts';
import { ZERO_ADDRESS } from './mainnet.ts';
import { NaiveModel } from './naive-model.ts';
import {
  ANN,
  ANNS,
  annsList,
  BOB,
  BOBS,
  bobsList,
  CAT,
  catsList,
  DAN,
  follow,
  logsOf,
  modelOf,
  START,
  slotOf,
  tag,
  unfollow,
  untag,
} from './small-history.ts';

const followersOf = (model: NaiveModel, address: Hex) => model.followers(address).followers.map((row) => row.address);
const tagsOn = (model: NaiveModel, address: Hex) => model.followers(address).followers[0]?.tags;
const timeOn = (model: NaiveModel, address: Hex) =>
  Date.parse(model.followers(address).followers[0]?.updated_at ?? '') / 1000 - START;

describe('a list op', () => {
  it('adds a record and ignores bytes after its address', () => {
    const junk = concatHex([stringToHex('block'), '0xff']);
    expect(followersOf(modelOf(...annsList, listOp(ANNS, opBytes(1, BOB, junk))), BOB)).toEqual([ANN]);
  });

  it.each([
    ['with an unknown version', concatHex(['0x02', '0x01', '0x0101', BOB])],
    ['with an unknown record version', concatHex(['0x01', '0x01', '0x0201', BOB])],
    ['with an unknown record type', concatHex(['0x01', '0x01', '0x0102', BOB])],
    ['with an unknown opcode', opBytes(5, BOB)],
    ['one byte short', opBytes(1, BOB).slice(0, -2) as Hex],
    ['without bytes', '0x' as const],
  ])('%s changes nothing and is no notification', (_, op) => {
    const model = modelOf(...annsList, listOp(ANNS, op));
    expect(followersOf(model, BOB)).toEqual([]);
    expect(model.notifications(BOB, { start: START + 1000, interval: 'all' }).notifications).toEqual([]);
  });

  it.each([
    ['  ToP8\0 ', ['top8']],
    ['\0\ufeff \0', []],
    ['x'.repeat(255), ['x'.repeat(255)]],
    [`${'x'.repeat(255)}\0`, []],
    ['😀', ['😀']],
  ])('with the tag %j sets the tags %j', (text, tags) => {
    expect(tagsOn(modelOf(...annsList, follow(ANNS, BOB), tag(ANNS, BOB, text)), BOB)).toEqual(tags);
  });

  it('with a tag that is not UTF-8 sets no tag', () => {
    const bad = listOp(ANNS, opBytes(3, BOB, '0xc080'));
    expect(tagsOn(modelOf(...annsList, follow(ANNS, BOB), bad), BOB)).toEqual([]);
  });
});

describe('a slot', () => {
  it('keeps tags that were set before the record', () => {
    expect(tagsOn(modelOf(...annsList, tag(ANNS, BOB, 'b'), tag(ANNS, BOB, 'a'), follow(ANNS, BOB)), BOB)).toEqual([
      'a',
      'b',
    ]);
  });

  it('drops the tags of a record that is removed, present or not', () => {
    const dropped = [follow(ANNS, BOB), tag(ANNS, BOB, 'a'), unfollow(ANNS, BOB), follow(ANNS, BOB)];
    expect(tagsOn(modelOf(...annsList, ...dropped), BOB)).toEqual([]);
    const early = [tag(ANNS, BOB, 'a'), unfollow(ANNS, BOB), follow(ANNS, BOB)];
    expect(tagsOn(modelOf(...annsList, ...early), BOB)).toEqual([]);
  });

  it('dates a record by the last op that changed it', () => {
    expect(timeOn(modelOf(...annsList, follow(ANNS, BOB), tag(ANNS, BOB, 'a')), BOB)).toBe(50);
    const vain = [follow(ANNS, BOB), tag(ANNS, BOB, 'a'), tag(ANNS, BOB, 'A'), untag(ANNS, BOB, 'z')];
    expect(timeOn(modelOf(...annsList, follow(ANNS, BOB), ...vain), BOB)).toBe(60);
    expect(timeOn(modelOf(...annsList, tag(ANNS, BOB, 'a'), follow(ANNS, BOB), untag(ANNS, BOB, 'a')), BOB)).toBe(60);
  });

  it('may have records before a list points at it, and differs from the same number on another chain', () => {
    expect(followersOf(modelOf(follow(ANNS, BOB), ...annsList), BOB)).toEqual([ANN]);
    expect(followersOf(modelOf(follow(slotOf(1n, 10), BOB), ...annsList), BOB)).toEqual([]);
  });
});

describe('a primary list', () => {
  const valid = [...annsList, follow(ANNS, BOB)];

  it('may have the token id 0', () => {
    const model = modelOf(...valid);
    expect(model.primaryList(ANN)).toBe('0');
    expect(model.primaryList(BOB)).toBe('');
    expect(model.followers(BOB).followers[0]?.svc_list_nft_token_id).toBe('0');
  });

  it.each([
    ['a primary list of no bytes', accountMetadata(ANN, 'primary-list', '0x')],
    ['a primary list of 33 bytes', accountMetadata(ANN, 'primary-list', concatHex(['0x00', word(0n)]))],
    ['a change to another list', accountMetadata(ANN, 'primary-list', '0x01')],
    ['a burn', transfer(ANN, ZERO_ADDRESS, 0n)],
    ['a location that is too long', storageLocation(0n, concatHex([locationBytes(ANNS), '0x00']))],
    ['a location of an unknown type', storageLocation(0n, locationBytes(ANNS).replace('0x0101', '0x0102') as Hex)],
    ['another location', storageLocation(0n, locationBytes(BOBS))],
    ['another user', listMetadata(ANNS, 'user', BOB)],
    ['the zero address as its user', listMetadata(ANNS, 'user', ZERO_ADDRESS)],
    ['a user of 21 bytes', listMetadata(ANNS, 'user', concatHex([ANN, '0x00']))],
  ])('is no longer valid after %s', (_, body) => {
    const model = modelOf(...valid, body);
    expect(model.primaryList(ANN)).toBe('');
    expect(followersOf(model, BOB)).toEqual([]);
  });

  it.each([
    ['a primary list of one byte', accountMetadata(ANN, 'primary-list', '0x00')],
    ['a transfer', transfer(ANN, BOB, 0n)],
    ['another manager', listMetadata(ANNS, 'manager', BOB)],
    ['metadata with another key', accountMetadata(ANN, 'Primary-List', '0x')],
    ['a key with a byte order mark', listMetadata(ANNS, '\ufeffuser', BOB)],
    ['a burn on another chain', { ...transfer(ANN, ZERO_ADDRESS, 0n), chainId: 10 }],
    ['a clearing on another chain', { ...accountMetadata(ANN, 'primary-list', '0x'), chainId: 1 }],
  ])('stays valid after %s', (_, body) => {
    expect(modelOf(...valid, body).primaryList(ANN)).toBe('0');
  });

  it('is invalid before it is minted', () => {
    expect(modelOf(...annsList.slice(1)).primaryList(ANN)).toBe('');
  });

  it('is valid again after a new mint, at its old location', () => {
    const model = modelOf(...valid, transfer(ANN, ZERO_ADDRESS, 0n), transfer(ZERO_ADDRESS, DAN, 0n));
    expect(model.primaryList(ANN)).toBe('0');
  });
});

describe('the account of a list', () => {
  it('is the user of its slot, else its owner', () => {
    expect(modelOf(...annsList, transfer(ANN, BOB, 0n)).accountOfList('0')).toBe(ANN);
    expect(modelOf(...annsList, transfer(ANN, BOB, 0n), listMetadata(ANNS, 'user', '0x')).accountOfList('0')).toBe(BOB);
    expect(modelOf(transfer(ZERO_ADDRESS, BOB, 7n)).accountOfList('7')).toBe(BOB);
  });

  it('is null if the list is unknown or burned', () => {
    expect(modelOf(...annsList).accountOfList('1')).toBeNull();
    expect(modelOf(...annsList, transfer(ANN, ZERO_ADDRESS, 0n)).accountOfList('0')).toBeNull();
  });
});

describe('the model', () => {
  const bodies = [...annsList, ...bobsList, ...catsList, follow(ANNS, DAN), follow(BOBS, DAN), unfollow(ANNS, DAN)];

  it('counts each log once, in any order', () => {
    const model = new NaiveModel();
    for (const log of [...logsOf(bodies).reverse(), ...logsOf(bodies)]) model.add(log);
    expect(followersOf(model, DAN)).toEqual([BOB]);
    expect(model.notifications(DAN, { start: START + 1000 }).summary.total).toBe(3);
  });

  it('removes the logs of one chain above a block', () => {
    const model = modelOf(...bodies);
    model.remove(8453, 1013);
    expect(followersOf(model, DAN)).toEqual([BOB, ANN]);
    model.remove(10, 1012);
    expect(followersOf(model, DAN)).toEqual([ANN]);
  });

  it('returns all accounts and lists', () => {
    expect(modelOf(...bodies, transfer(CAT, ZERO_ADDRESS, 3n)).accounts()).toEqual([ANN, BOB, CAT, DAN]);
    expect(modelOf(...bodies).lists()).toEqual(['0', '2', '3']);
  });
});
