import { type Static, Type } from '@sinclair/typebox';
import { isoTime, object, oneOf, text } from './schemas.ts';

const whole = (description?: string) => Type.Integer(description === undefined ? {} : { description });
const wholeOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const ChainStatus = object(
  {
    chainId: whole(),
    indexed: object({ number: whole(), hash: text('Block hash.'), timestamp: whole('Unix seconds.') }),
    head: wholeOrNull('Number of the newest block; null for a chain that is not indexed, like the next three.'),
    finalized: wholeOrNull('Number of the newest final block.'),
    lagBlocks: wholeOrNull('Blocks behind the head.'),
    lagSeconds: wholeOrNull('Seconds behind the head; also grows while the indexer is down.'),
  },
  'ChainStatus',
);

const ChainFault = object(
  {
    chainId: whole(),
    code: text('Error code, see docs/errors.md.'),
    message: text('What failed.'),
    since: isoTime('When it failed first.'),
  },
  'ChainFault',
);

/** The answer of /status. */
export const StatusBody = object(
  {
    engine: oneOf('The database.', ['sqlite', 'postgres']),
    isDemo: Type.Boolean({ description: 'Whether the data is a generated demo graph.' }),
    isLoading: Type.Boolean({
      description: 'Whether the database is empty, or the chains are being read for the first time.',
    }),
    dataVersion: whole('Grows with each change of the data.'),
    counts: object({
      logs: whole(),
      unfoldedLogs: whole(),
      ignoredOps: whole(),
      lists: whole(),
      accounts: whole(),
      follows: whole(),
      ranked: whole(),
    }),
    ranksMadeAt: Type.Union([isoTime('Time of the ranking.'), Type.Null()], {
      description: 'Null before the first ranking.',
    }),
    chains: Type.Array(ChainStatus),
    faults: Type.Array(ChainFault, { description: 'The chains that are not being indexed, and why.' }),
    sources: object(
      {
        names: oneOf('Where profiles come from, besides imports.', ['chain', 'enstate', 'none']),
        badges: oneOf('Where badges come from, besides imports.', ['poap', 'none']),
      },
      'Sources',
    ),
  },
  'Status',
);
export type Status = Static<typeof StatusBody>;
