import { describe, expect, it } from 'vitest';
import { accountOf, ada, bob, cyd, NOW, nameless, profileOrFault, setUp } from './set-up.ts';

const setting = setUp();
const sizes = () => setting.fake.asked.map(({ queries }) => queries.length);
const nine = Array.from({ length: 9 }, (_, index) => accountOf(10 + index));
const holding = (accounts: readonly string[]) => {
  for (const [index, account] of accounts.entries()) setting.fake.addName(`n${index}.eth`, account);
};
const refused = { kind: 'http', status: 400, retryAfterMs: null };

describe('a server that takes fewer queries than usual', () => {
  it.each([2, 3, 5, 8])('tells all that was asked for when it takes %i', async (maximum) => {
    setting.fake.maximum = maximum;
    holding(nine);
    const told = await setting.source.fetchProfiles(nine, { fresh: false });
    expect(nine.map((account) => told.get(account))).toMatchObject(nine.map((_, index) => ({ name: `n${index}.eth` })));
  });

  it.each([2, 3, 5, 9])('leaves room for the control when it takes %i', async (maximum) => {
    setting.fake.maximum = maximum;
    const told = await setting.source.fetchProfiles(nine, { fresh: false });
    expect([...told.values()]).toEqual(nine.map(() => nameless(NOW)));
  });

  it('is not asked for more again', async () => {
    setting.fake.maximum = 4;
    holding(nine);
    await setting.source.fetchProfiles(nine, { fresh: false });
    await setting.source.fetchProfiles(nine, { fresh: false });
    expect(sizes()).toEqual([9, 4, 4, 1, 4, 4, 1]);
  });

  it('is believed again when it takes even fewer', async () => {
    setting.fake.maximum = 4;
    holding(nine);
    await setting.source.fetchProfiles(nine, { fresh: false });
    setting.fake.maximum = 3;
    await setting.source.fetchProfiles(nine.slice(0, 4), { fresh: false });
    expect(sizes().slice(4)).toEqual([4, 3, 1]);
  });

  it('keeps what one request told when the next one fails', async () => {
    setting.fake.maximum = 2;
    holding([ada, bob, cyd]);
    setting.fake.faultOf = ({ queries }) => (queries.length === 1 ? (response) => response.destroy() : undefined);
    const told = await setting.source.fetchProfiles([ada, bob, cyd], { fresh: false });
    expect([...told.values()]).toMatchObject([
      { name: 'n0.eth' },
      { name: 'n1.eth' },
      { fault: { kind: 'unreachable' } },
    ]);
  });

  it('cannot be asked about accounts when it takes one: there is no room for the control', async () => {
    setting.fake.maximum = 1;
    expect(await profileOrFault(setting.source, ada)).toEqual(refused);
  });

  it('is not asked without end when it takes none', async () => {
    setting.fake.maximum = 0;
    expect(await profileOrFault(setting.source, ada)).toEqual(refused);
    expect(sizes()).toEqual([1]);
  });
});
