import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/protocol/hex.ts';
import { ServiceFixture } from '../http/support.ts';
import { listOp, opBytes, placeLog, word } from '../model/encode-log.ts';
import { createRandom } from '../model/random.ts';
import { ANN, ANNS, annsList, BOB, BOBS, bobsList, follow, logsOf, START } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs, loadRanks } from '../support/load.ts';
import type { Service } from '../support/service.ts';

const IN_BLOCK = 60;

const random = createRandom(7);
const address = (): Address => `0x${Array.from({ length: 40 }, () => random.int(16).toString(16)).join('')}`;
const [oldest, middle, newest] = [0, 1, 2].map(() => Array.from({ length: IN_BLOCK }, address)) as [
  Address[],
  Address[],
  Address[],
];
const blocked = newest.slice(0, 30);
const followed = [...newest.slice(30), ...middle, ...oldest.toSorted().slice(0, 10)];

describe.each(engines)('recommended accounts on $name', (engine) => {
  const fixture = new ServiceFixture(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await fixture.open();
    const blocks = [oldest, middle, newest].flatMap((accounts, i) =>
      accounts.map((account, logIndex) => {
        const body = blocked.includes(account)
          ? listOp(BOBS, opBytes(3, account, '0x626c6f636b'))
          : follow(BOBS, account);
        return {
          body,
          place: {
            blockNumber: 5_000 + i,
            blockHash: word(BigInt(5_000 + i)),
            time: START + 1_000 * (i + 1),
            logIndex,
          },
        };
      }),
    );
    const blockedBefore = blocked.map((account) => follow(BOBS, account));
    await loadLogs(store, [
      ...logsOf([...annsList, ...bobsList, follow(ANNS, BOB), follow(BOBS, BOB), ...blockedBefore]),
      ...blocks.map(({ body, place }) => placeLog(body, place)),
    ]);
    await loadRanks(store, 1_000);
    service = await fixture.serve(store);
  });
  afterAll(() => fixture.close());

  it('are the hundred that a followed account followed last, of one block by address', async () => {
    const { json } = await service.get(`/users/${ANN}/recommended?limit=1000`);
    expect(followed).toHaveLength(100);
    expect(json.recommended.map((card: { address: string }) => card.address)).toEqual(followed.toSorted());
  });

  it('end with the last one that a followed account follows', async () => {
    const { json } = await service.get(`/users/${ANN}/recommended?offset=${followed.length}`);
    expect(json.recommended).toEqual([]);
  });
});
