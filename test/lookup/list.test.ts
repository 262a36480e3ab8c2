import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectProblem, ServiceFixture } from '../http/support.ts';
import {
  accountMetadata,
  listMetadata,
  locationBytes,
  recordsAddress,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, ANNS, annsList, BOB, CAT, DAN, logsOf, START, slotOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';

const HIGH = slotOf(2n ** 255n + 7n, 10);
const UNUSED = slotOf(9n);
const DANS = slotOf(4n, 1);

/** Ann has list 0. The others are not the valid primary list of anybody. */
const history = [
  ...annsList,
  listMetadata(ANNS, 'manager', CAT),
  // List 1 is at Ann's slot as well; she names list 0.
  ...[transfer(ZERO_ADDRESS, BOB, 1n), storageLocation(1n, locationBytes(ANNS))],
  // List 2 has no location, although Bob names it.
  ...[transfer(ZERO_ADDRESS, BOB, 2n), accountMetadata(BOB, 'primary-list', word(2n))],
  // List 3 is at a slot that names no user.
  ...[transfer(ZERO_ADDRESS, BOB, 3n), storageLocation(3n, locationBytes(UNUSED))],
  // List 4 is at a slot of Cat, who names no list.
  ...[transfer(ZERO_ADDRESS, BOB, 4n), storageLocation(4n, locationBytes(HIGH)), listMetadata(HIGH, 'user', CAT)],
  // List 5 was burned, and list 6 minted again after that.
  ...[transfer(ZERO_ADDRESS, BOB, 5n), transfer(BOB, ZERO_ADDRESS, 5n)],
  ...[transfer(ZERO_ADDRESS, BOB, 6n), transfer(BOB, ZERO_ADDRESS, 6n), transfer(ZERO_ADDRESS, CAT, 6n)],
  ...[transfer(CAT, ANN, 6n), transfer(ANN, BOB, 6n)],
  // List 7 is at a slot of Dan, who names a list that does not exist.
  ...[transfer(ZERO_ADDRESS, DAN, 7n), storageLocation(7n, locationBytes(DANS)), listMetadata(DANS, 'user', DAN)],
  accountMetadata(DAN, 'primary-list', word(77n)),
];
/** When a list was last minted: `logsOf` has ten seconds between logs. */
function mintTimeOf(list: bigint): string {
  const index = history.findLastIndex(({ topics: [, from, , id] }) => from === word(0n) && id === word(list));
  return new Date((START + 10 * index) * 1000).toISOString();
}

describe.each(engines)('GET /lists/:token_id on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    await loadLogs(store, logsOf(history));
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  const get = async (list: string) => (await service.get(`/lists/${list}`)).json;

  it('has the location, the roles, the minting, and that it is the primary list of its user', async () => {
    expect(await get('0')).toEqual({
      token_id: '0',
      storage_location: { chain_id: '8453', contract: recordsAddress(8453), slot: '1' },
      owner: ANN,
      manager: CAT,
      user: ANN,
      minted_at: mintTimeOf(0n),
      minted_to: ANN,
      is_primary_list: true,
      primary_list_fault: '',
    });
  });

  it.each([
    ['1', 'other-primary-list'],
    ['2', 'no-storage-location'],
    ['3', 'slot-without-user'],
    ['4', 'no-primary-list'],
    ['6', 'no-storage-location'],
    ['7', 'other-primary-list'],
  ])('says why list %s is not the primary list of its user: %s', async (list, fault) => {
    expect(await get(list)).toMatchObject({ is_primary_list: false, primary_list_fault: fault });
  });

  it('agrees with the primary list of the user', async () => {
    for (const list of ['0', '1', '2', '3', '4', '6', '7']) {
      const { user, is_primary_list } = await get(list);
      const { primary_list } = user === '' ? {} : (await service.get(`/users/${user}/primary-list`)).json;
      expect([list, primary_list === list]).toEqual([list, is_primary_list]);
    }
  });

  it('has no location and empty roles for a list without a storage location', async () => {
    expect(await get('2')).toMatchObject({ storage_location: null, owner: BOB, manager: '', user: '' });
  });

  it('has slots above 64 bits as decimal digits', async () => {
    const { storage_location } = await get('4');
    expect(storage_location).toEqual({ chain_id: '10', contract: recordsAddress(10), slot: String(HIGH.slot) });
  });

  it('has the last minting of a list that was burned and minted again', async () => {
    expect(await get('6')).toMatchObject({ owner: BOB, minted_to: CAT, minted_at: mintTimeOf(6n) });
  });

  it.each(['5', '77', '999'])('returns 404 for list %s, which was burned or never minted', async (list) => {
    expectProblem(await service.get(`/lists/${list}`), { status: 404, code: 'unknown-list' });
  });

  it('returns 500 for a list whose mint was lost from the logs, instead of an invented one', async () => {
    const own = new ServiceFixture(engine);
    onTestFinished(() => own.close());
    const store = await own.open();
    await loadLogs(store, logsOf(history));
    await store.transaction((tx) => tx.execute((db) => db.deleteFrom('logs')));
    const damaged = await own.serve(store);
    expectProblem(await damaged.get('/lists/1'), { status: 500, code: 'internal' });
  });

  it('returns 400 for what is no token id', async () => {
    expectProblem(await service.get('/lists/x'), { status: 400, code: 'invalid-parameter' });
  });
});
