import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Row } from '../../src/store/schema.ts';
import { annsList, logsOf } from '../model/small-history.ts';
import { engines } from '../support/engines.ts';
import { loadLogs } from '../support/load.ts';
import type { Service } from '../support/service.ts';
import { Stage } from './support.ts';

const ANN: Hex = `0x${'a'.repeat(40)}`;
/** How many followed in each second: alone, in pairs, and in crowds. */
const CROWDS = [1, 1, 3, 1, 2, 7, 1, 12, 2, 1];
const START = 1_760_000_000;

/** In the order that is asked for: by time, then by address. */
const followers = CROWDS.flatMap((crowd, second) =>
  Array.from({ length: crowd }, (_, i): Row<'followers'> => {
    const address = `0x${(i * 37 + second + 1).toString(16).padStart(40, '0')}`;
    const time = START + second;
    const entry = JSON.stringify({
      svc_list_nft_token_id: '1',
      address,
      tags: [],
      is_following: false,
      is_blocked: false,
      is_muted: false,
      updated_at: new Date(time * 1000).toISOString(),
    });
    // Every fifth is one that the account has muted.
    return { target: ANN, time, address, popularity: 0, hidden: Number(i % 5 === 4), entry };
  }),
);

describe.each(engines)('the earliest followers on $name', (engine) => {
  const stage = new Stage(engine);
  let service: Service;
  beforeAll(async () => {
    const store = await stage.open();
    await loadLogs(store, logsOf(annsList));
    await store.transaction((tx) => tx.insert('followers', followers.toReversed()));
    service = await stage.serve(store);
  });
  afterAll(() => stage.close());

  const addresses = (rows: readonly { address: string }[]) => rows.map(({ address }) => address);
  const visible = followers.filter(({ hidden }) => hidden === 0);

  describe.each([
    ['an account', `/users/${ANN}/followers`, followers],
    ['a list', '/lists/0/followers', visible],
  ])('of %s', (_, path, all) => {
    it.each([1, 2, 3, 5, 10, 40])(
      'are in order on every page of %i, whichever of one second it cuts',
      async (limit) => {
        for (let offset = 0; offset <= all.length + 1; offset++) {
          const { json } = await service.get(`${path}?sort=earliest&limit=${limit}&offset=${offset}`);
          const expected = addresses(all.slice(offset, offset + limit));
          expect(addresses(json.followers), `from ${offset}`).toEqual(expected);
        }
      },
    );
  });
});
