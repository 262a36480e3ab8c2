import { type Static, Type } from '@sinclair/typebox';
import { address, avatar, isoTime, name, object, oneOf, total } from './schemas.ts';

/** Schemas of the responses of lookups about the graph over time, and about how far accounts are from each other. */
const HistoryPoint = object('HistoryPoint', 'An interval of the history of an account.', {
  time: isoTime('The beginning of the interval.'),
  followers: total('Current followers that had begun to follow by the end of the interval.'),
  gained: total('Follows that the account received in the interval.'),
  lost: total('Unfollows that the account received in the interval.'),
});
export const HistoryBody = object('History', 'The followers of an account over time.', {
  interval: oneOf('The requested interval.', ['day', 'week', 'month']),
  points: Type.Array(HistoryPoint, { description: 'One for each interval, oldest first; 1,000 at most.' }),
});
export type HistoryBody = Static<typeof HistoryBody>;

const source = address('The account that the steps begin at, lower case.');
const isComplete = (what: string) =>
  Type.Boolean({ description: `False if ${what} because of a limit on the rows read.` });

const PathAccount = object('PathAccount', 'An account of a path.', { address: address(), name, avatar });
export const PathBody = object('Path', 'A shortest path from one account to another.', {
  source,
  target: address('The account that they lead to, lower case.'),
  length: Type.Union([total('The number of follows.'), Type.Null()], {
    description: 'The number of follows; null if there is no path, or none was found.',
  }),
  path: Type.Array(address(), { description: 'The accounts from source to target; empty without a path.' }),
  accounts: Type.Array(PathAccount, { description: 'The same accounts, with what is shown of them.' }),
  isComplete: isComplete('the search ended without a result'),
});
export type PathBody = Static<typeof PathBody>;

const Hops = object('Hops', 'How far an account is.', {
  address: address(),
  steps: Type.Union([Type.Integer({ minimum: 0, maximum: 3 }), Type.Null()], {
    description: 'The number of follows of a shortest path to it; null for more than three, or for no path.',
  }),
});
export const HopsBody = object('HopsList', 'How far accounts are from an account.', {
  source,
  hops: Type.Array(Type.Union([Hops, Type.Null()]), {
    description: 'An entry for each of the given accounts, in the same order; null for what is no account.',
  }),
  isComplete: isComplete('the steps to some accounts, whose `steps` are null, were not found'),
});
export type HopsBody = Static<typeof HopsBody>;
