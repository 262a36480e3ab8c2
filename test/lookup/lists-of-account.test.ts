import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { ServiceFixture, write } from '../http/support.ts';
import { accountMetadata, listMetadata, locationBytes, storageLocation, transfer, word } from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, CAT, CATS, catsList, DAN, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';

/** Ann has list 0, Bob has list 2 and Cat has list 3: each owns it, is its user, and has it as primary list. */
describe.each(engines)('the lists of an account on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let store: Store;
  let service: Service;
  beforeEach(async () => {
    store = await fixture.open();
    await loadLogs(store, logsOf([...annsList, ...bobsList, ...catsList]));
    service = await fixture.serve(store);
  });
  afterEach(() => fixture.close());

  const listsOf = async (account: string) => (await service.get(`/users/${account}/lists`)).json;

  it('are those that it owns, uses or manages, each once and ascending by number', async () => {
    await write(store, [
      listMetadata(ANNS, 'manager', ANN),
      listMetadata(CATS, 'manager', ANN),
      transfer(ZERO_ADDRESS, ANN, 10n),
      transfer(ZERO_ADDRESS, ANN, 9n),
      transfer(ZERO_ADDRESS, ANN, 2n ** 200n),
    ]);
    const lists = ['0', '3', '9', '10', String(2n ** 200n)];
    expect(await listsOf(ANN)).toEqual({ primary_list: '0', lists });
  });

  it('follow the owner when a list is transferred', async () => {
    await write(store, [transfer(ANN, DAN, 0n)]);
    expect(await listsOf(DAN)).toEqual({ primary_list: '', lists: ['0'] });
    // Ann is still the user of its slot.
    expect(await listsOf(ANN)).toEqual({ primary_list: '0', lists: ['0'] });
    await write(store, [listMetadata(ANNS, 'user', DAN)]);
    expect(await listsOf(ANN)).toEqual({ primary_list: '', lists: [] });
  });

  it('are without a list that is burned, in every role', async () => {
    await write(store, [listMetadata(ANNS, 'manager', DAN)]);
    expect(await listsOf(DAN)).toEqual({ primary_list: '', lists: ['0'] });
    await write(store, [transfer(ANN, ZERO_ADDRESS, 0n)]);
    expect(await listsOf(DAN)).toEqual({ primary_list: '', lists: [] });
    expect(await listsOf(ANN)).toEqual({ primary_list: '', lists: [] });
    await write(store, [transfer(ZERO_ADDRESS, BOB, 0n)]);
    expect(await listsOf(DAN)).toEqual({ primary_list: '', lists: ['0'] });
    expect(await listsOf(BOB)).toEqual({ primary_list: '2', lists: ['0', '2'] });
  });

  it('follow the manager of a slot when it changes or is cleared', async () => {
    await write(store, [listMetadata(BOBS, 'manager', DAN)]);
    expect((await listsOf(DAN)).lists).toEqual(['2']);
    await write(store, [listMetadata(BOBS, 'manager', CAT)]);
    expect((await listsOf(DAN)).lists).toEqual([]);
    expect((await listsOf(CAT)).lists).toEqual(['2', '3']);
    await write(store, [listMetadata(BOBS, 'manager', '0x')]);
    expect((await listsOf(CAT)).lists).toEqual(['3']);
  });

  it('follow the location of a list to another slot', async () => {
    await write(store, [storageLocation(3n, locationBytes(ANNS))]);
    expect(await listsOf(ANN)).toEqual({ primary_list: '0', lists: ['0', '3'] });
    expect(await listsOf(CAT)).toEqual({ primary_list: '', lists: ['3'] });
  });

  it('stay when the primary list is cleared, which is then empty and not list 0', async () => {
    await write(store, [accountMetadata(BOB, 'primary-list', '0x')]);
    expect(await listsOf(BOB)).toEqual({ primary_list: '', lists: ['2'] });
    expect((await service.get(`/users/${BOB}/primary-list`)).json).toEqual({ primary_list: '' });
    await write(store, [accountMetadata(BOB, 'primary-list', word(2n))]);
    expect(await listsOf(BOB)).toEqual({ primary_list: '2', lists: ['2'] });
  });
});
