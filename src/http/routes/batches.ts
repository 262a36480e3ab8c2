import { AccountsBody, EdgesAmongBody } from '../../contract/batch-schemas.ts';
import { BatchStatesBody } from '../../contract/lookup-schemas.ts';
import { readAccounts } from '../../lookup/accounts/accounts.ts';
import { MAX_AMONG, streamEdgesAmong } from '../../lookup/edges/among.ts';
import { readButtonStates } from '../../lookup/edges/states.ts';
import type { Lookups } from '../../lookup/lookups.ts';
import { addressesOf } from '../../lookup/refs/resolve-many.ts';
import * as parameter from '../parameters.ts';
import { type BatchRoute, batch } from './batch-route.ts';

const MAX_ENTRIES = 1_000;
const IN_ORDER = 'The answer has an entry for each entry of the body, in the same order';

/** All lookups by POST. */
export function createBatches(lookups: Lookups): BatchRoute[] {
  const byList = (list: string) => ({ kind: 'list', list }) as const;
  return [
    batch({
      path: '/lists/:token_id/buttonStateBatch',
      summary: 'Whether a list follows, blocks or mutes each of many accounts',
      description: `${IN_ORDER}.`,
      group: 'states',
      params: { token_id: parameter.list },
      body: { title: 'BatchAccounts', maxEntries: MAX_ENTRIES, example: ['juniper.eth', 'unclaimed.eth'] },
      response: BatchStatesBody,
      check: (reader, { token_id }) => lookups.resolveAddress(reader, byList(token_id)),
      lookup: (reader, others, { token_id }) => readButtonStates(reader, byList(token_id), others),
    }),
    batch({
      path: '/accounts',
      summary: 'Name, avatar, counts and primary list of many accounts, and how a viewer relates to each',
      description: `${IN_ORDER}; null for what is no account. Counts are current.`,
      group: 'accounts',
      query: {
        viewer: parameter.optional(
          parameter.account('The account that `state` and `follower_state` are about', 'ada.eth'),
        ),
      },
      body: { title: 'BatchAccounts', maxEntries: MAX_ENTRIES, example: ['juniper.eth', 'unclaimed.eth'] },
      response: AccountsBody,
      lookup: (reader, others, _, { viewer }) => {
        const shown = viewer?.kind === 'account' ? [viewer.account, ...addressesOf(others)] : addressesOf(others);
        for (const account of shown) lookups.queueProfile(account);
        return readAccounts(reader, others, viewer);
      },
    }),
    batch({
      path: '/edges/among',
      summary: 'All edges among some accounts',
      description: 'Follows, blocks and mutes whose source and target are both in the body, by source, then by target.',
      group: 'edges',
      body: { title: 'AmongAccounts', maxEntries: MAX_AMONG, example: ['ada.eth', 'juniper.eth'] },
      response: EdgesAmongBody,
      stream: streamEdgesAmong,
    }),
  ];
}
