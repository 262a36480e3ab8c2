import { type Static, Type } from '@sinclair/typebox';
import { isoTime, object, oneOf, text, total } from './schemas.ts';

const chainId = total('Id of the chain, like 8453 for Base.');
const wholeOrNull = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const IndexedBlock = object('IndexedBlock', 'The newest block of a chain that is in the graph.', {
  number: total('Block number.'),
  hash: text('Block hash.'),
  timestamp: total('Time of the block in Unix seconds.'),
});

const AddedContract = object('AddedContract', 'How far the earlier logs of an added contract have been read.', {
  address: text('Address of the contract.'),
  number: total('Logs up to this block are in the graph.'),
  target: total('Logs above this block are in the graph as well.'),
});

const ChainStatus = object('ChainStatus', 'How far a chain is indexed.', {
  chainId,
  indexed: IndexedBlock,
  head: wholeOrNull(
    'Number of the newest block. This and the next three are null while the chain is not being indexed.',
  ),
  finalized: wholeOrNull('Number of the newest final block.'),
  lagBlocks: wholeOrNull('Blocks behind the head.'),
  reading: Type.Array(AddedContract, {
    description: 'The contracts that were added to the chain and whose earlier logs are still being read.',
  }),
  lagSeconds: wholeOrNull('Seconds behind the head; also grows while the indexer is down.'),
});

const ChainFault = object('ChainFault', 'Why a chain is not being indexed.', {
  chainId,
  code: text('Error code, see docs/errors.md.'),
  message: text('What failed.'),
  since: isoTime('When it failed first.'),
});

const DatabaseFault = object('DatabaseFault', 'Why the database cannot be written, or not be read completely.', {
  code: text('Error code, see docs/errors.md.'),
  message: text('What failed, and what to do.'),
});

const StatusCounts = object('StatusCounts', 'Sizes of the graph.', {
  logs: total('Stored logs.'),
  unfoldedLogs: total('Logs that are not in the graph yet; above 0 during a rebuild.'),
  ignoredOps: total('List operations that are not valid.'),
  lists: total('Lists that exist.'),
  accounts: total('Accounts in the graph.'),
  follows: total('Follows in the graph.'),
  ranked: total('Members of the leaderboard.'),
});

const Sources = object('Sources', 'Where profiles and badges come from, besides imports.', {
  names: oneOf('Source of profiles.', ['chain', 'none']),
  badges: oneOf('Source of badges.', ['poap', 'none']),
});

const Loading = object('Loading', 'How far the chains have been read for the first time.', {
  percent: wholeOrNull('Part of the blocks of all indexed chains; null until each has been reached.'),
  secondsLeft: wholeOrNull('Estimate of the time left; null while the rate is not stable.'),
});

export const HealthBody = object('Health', 'The process is alive.', { status: oneOf('Always `alive`.', ['alive']) });
const databaseFault = Type.Union([DatabaseFault, Type.Null()], {
  description:
    'A fault of the database that this process has met, or a full disk. Requests that it does not concern are answered.',
});
export const ReadyBody = object('Ready', 'The process is ready.', {
  status: oneOf('Always `ready`.', ['ready']),
  databaseFault,
});
export const MetricsText = Type.String({ description: 'Metrics in the text format of Prometheus.' });

/** The answer of /status. */
export const StatusBody = object('Status', 'The state of the database and of the indexed chains.', {
  engine: oneOf('The database.', ['sqlite', 'postgres']),
  isDemo: Type.Boolean({ description: 'Whether the data is a generated demo graph.' }),
  isLoading: Type.Boolean({
    description: 'Whether the database is empty, or the chains are being read for the first time.',
  }),
  loading: Type.Union([Loading, Type.Null()], {
    description: 'How far the first load is; null if it is complete, or if no chain is indexed.',
  }),
  dataVersion: total('Grows with each change of the data.'),
  counts: StatusCounts,
  ranksMadeAt: Type.Union([isoTime('Time of the last ranking.'), Type.Null()], {
    description: 'Time of the last ranking; null before the first.',
  }),
  chains: Type.Array(ChainStatus, { description: 'The chains in the graph, by id.' }),
  chainsNotIndexed: Type.Array(chainId, {
    description: 'The chains of the deployment that are not indexed: lists that are stored on them are empty.',
  }),
  faults: Type.Array(ChainFault, { description: 'The chains that are not being indexed, and why.' }),
  databaseFault,
  sources: Sources,
});
export type Status = Static<typeof StatusBody>;
