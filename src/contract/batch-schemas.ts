import { type Static, Type } from '@sinclair/typebox';
import { State } from './lookup-schemas.ts';
import { address, avatar, name, object, oneOf, primaryList, Stats, shownTags } from './schemas.ts';

/** Schemas of the responses of lookups about many accounts. */
const accountOrNull = Type.Union([address(), Type.Null()]);

const BatchAccount = object(
  'BatchAccount',
  'What a list of accounts shows of one. With `viewer`, `state` is how the viewer relates to the account, and `follower_state` how the account relates to the viewer.',
  {
    address: address(),
    name,
    avatar,
    ...Stats.properties,
    primary_list: primaryList,
    state: Type.Optional(State),
    follower_state: Type.Optional(State),
  },
);
export type BatchAccount = Static<typeof BatchAccount>;
export const AccountsBody = Type.Array(Type.Union([BatchAccount, Type.Null()]), {
  title: 'BatchAccountList',
  description: 'An entry for each of the given accounts, in the same order; null for what is no account.',
});
export type AccountsBody = Static<typeof AccountsBody>;

const AmongEdge = object('AmongEdge', 'An edge between two of the given accounts.', {
  source: address('The account that follows, blocks or mutes, lower case.'),
  target: address('The account that is followed, blocked or muted, lower case.'),
  relation: oneOf('What the source does.', ['follow', 'block', 'mute']),
  ...shownTags('What the source tagged the target with'),
});
export type AmongEdge = Static<typeof AmongEdge>;
export const EdgesAmongBody = object('EdgesAmong', 'All edges among the given accounts.', {
  accounts: Type.Array(accountOrNull, {
    description: 'The address of each of the given accounts, in the same order; null for what is no account.',
  }),
  edges: Type.Array(AmongEdge, { description: 'The edges, by source, then by target.' }),
});
export type EdgesAmongBody = Static<typeof EdgesAmongBody>;
