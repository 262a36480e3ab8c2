import { describe, expect, it } from 'vitest';
import { accountOf, ada, bob, cyd, NOW, nameless, profileOrFault, setUp } from './set-up.ts';

const setting = setUp();
const sizes = () => setting.fake.requests.map(({ queries }) => queries.length);
const nine = Array.from({ length: 9 }, (_, index) => accountOf(10 + index));
const holding = (accounts: readonly string[]) => {
  for (const [index, account] of accounts.entries()) setting.fake.addName(`n${index}.eth`, account);
};
const refused = { kind: 'http', status: 400, retryAfterMs: null };

describe('an enstate server with a lower bulk limit', () => {
  it.each([2, 3, 5, 8])('returns all profiles with a limit of %i', async (maximum) => {
    setting.fake.maximum = maximum;
    holding(nine);
    const profiles = await setting.source.fetchProfiles(nine, { fresh: false });
    expect(nine.map((account) => profiles.get(account))).toMatchObject(
      nine.map((_, index) => ({ name: `n${index}.eth` })),
    );
  });

  it.each([2, 3, 5, 9])('leaves room for the control with a limit of %i', async (maximum) => {
    setting.fake.maximum = maximum;
    const profiles = await setting.source.fetchProfiles(nine, { fresh: false });
    expect([...profiles.values()]).toEqual(nine.map(() => nameless(NOW)));
  });

  it('receives no larger request afterwards', async () => {
    setting.fake.maximum = 4;
    holding(nine);
    await setting.source.fetchProfiles(nine, { fresh: false });
    await setting.source.fetchProfiles(nine, { fresh: false });
    expect(sizes()).toEqual([9, 4, 4, 1, 4, 4, 1]);
  });

  it('may lower its limit again', async () => {
    setting.fake.maximum = 4;
    holding(nine);
    await setting.source.fetchProfiles(nine, { fresh: false });
    setting.fake.maximum = 3;
    await setting.source.fetchProfiles(nine.slice(0, 4), { fresh: false });
    expect(sizes().slice(4)).toEqual([4, 3, 1]);
  });

  it('keeps the results of one request if the next one fails', async () => {
    setting.fake.maximum = 2;
    holding([ada, bob, cyd]);
    setting.fake.faultOf = ({ queries }) => (queries.length === 1 ? (response) => response.destroy() : undefined);
    const profiles = await setting.source.fetchProfiles([ada, bob, cyd], { fresh: false });
    expect([...profiles.values()]).toMatchObject([
      { name: 'n0.eth' },
      { name: 'n1.eth' },
      { fault: { kind: 'unreachable' } },
    ]);
  });

  it('fails with a limit of one, which has no room for the control', async () => {
    setting.fake.maximum = 1;
    expect(await profileOrFault(setting.source, ada)).toEqual(refused);
  });

  it('does not cause an endless loop with a limit of zero', async () => {
    setting.fake.maximum = 0;
    expect(await profileOrFault(setting.source, ada)).toEqual(refused);
    expect(sizes()).toEqual([1]);
  });
});
