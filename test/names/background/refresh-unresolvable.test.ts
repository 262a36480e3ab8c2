import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createChainSource } from '../../../src/names/ens/chain-source.ts';
import { anyEngine } from '../../support/engines.ts';
import { waitFor } from '../../support/wait-for.ts';
import { createClientOf, type EnsNode, newAccount, nodeAt, startEns } from '../ens/ens-node.ts';
import { addMembers, SECOND_MS, useRefreshSetup } from './refresh-setup.ts';
import { logged } from './refresh-steps.ts';

let ens: EnsNode;
beforeAll(async () => {
  ens = await startEns();
});
afterAll(() => ens.node.stop());

describe.each(anyEngine)('the refresh of profiles from ENS on $name', (engine) => {
  const open = useRefreshSetup(engine);

  it('logs each account whose resolver reverts once, and takes none for an outage', async () => {
    const setup = await open();
    const accounts = Array.from({ length: 5 }, newAccount);
    for (const account of accounts) await ens.claimWithResolver(account, ens.revertingResolver);
    await addMembers(setup.store, accounts);
    const client = createClientOf(nodeAt(ens.node.url));
    const refresh = setup.start({ source: createChainSource({ client, ccip: null, now: setup.now }) });
    await waitFor(async () => {
      await refresh.pass(SECOND_MS);
      expect(logged(setup, 'info')).toEqual(Array(5).fill('profile cannot be fetched'));
    });
    expect(logged(setup, 'warn')).toEqual([]);
    expect(setup.outcomes).toEqual(Array(5).fill('unresolvable'));
  });
});
