import { asObject, BadInputError, fail, parseWholeNumber } from '../errors/bad-input.ts';
import { type Contract, chainsOf, type Deployment } from '../protocol/deployments.ts';
import { MAX_TIME, parseWord } from '../protocol/parse-log.ts';

/** A block at which a chain can be continued. */
interface SnapshotBlock {
  readonly number: number;
  readonly hash: string;
}

/** The cursor of the indexer that stored the logs. */
interface SnapshotCursor extends SnapshotBlock {
  /** Unix seconds. */
  readonly time: number;
  readonly startBlock: number;
  /** The last block that was final: a reorg cannot go below it. */
  readonly final: SnapshotBlock;
}

export interface SnapshotChain {
  readonly chainId: number;
  /** Null if the logs were imported: then there may be more up to any block. */
  readonly cursor: SnapshotCursor | null;
}

/** The first line of a snapshot. */
export interface SnapshotHeader {
  readonly kithSnapshot: typeof VERSION;
  readonly deployment: Pick<Deployment, 'name' | 'contracts'>;
  readonly chains: readonly SnapshotChain[];
  /** Number of logs, and the SHA-256 of the lines after the header, without compression. */
  readonly logs: number;
  readonly sha256: string;
}

const VERSION = 1;
const START = '{"kithSnapshot":';

export function createHeader(
  { name, contracts }: Deployment,
  content: Pick<SnapshotHeader, 'chains' | 'logs' | 'sha256'>,
): SnapshotHeader {
  // The key that marks the line is the first one.
  return { kithSnapshot: VERSION, deployment: { name, contracts }, ...content };
}

export function isHeader(line: string): boolean {
  return line.startsWith(START);
}

/** Throws unless the snapshot is of the contracts of the deployment. */
export function parseHeader(json: unknown, deployment: Deployment): SnapshotHeader {
  const { kithSnapshot, deployment: source, chains, logs, sha256 } = asObject(json);
  if (kithSnapshot !== VERSION) fail('kithSnapshot', `${VERSION}, which this version of Kith reads`, kithSnapshot);
  requireContracts(asObject(source, 'deployment'), deployment);
  return createHeader(deployment, {
    chains: asArray('chains', chains).map((chain, i) => parseChain(`chains[${i}]`, chain, chainsOf(deployment))),
    logs: parseWholeNumber('logs', logs, 'a number of logs'),
    sha256: parseWord('sha256', `0x${sha256}`).slice(2),
  });
}

/** Throws unless the lines after the header are those that it describes. */
export function requireContent(
  file: string,
  header: SnapshotHeader,
  content: Pick<SnapshotHeader, 'logs' | 'sha256'>,
): void {
  if (content.logs !== header.logs)
    throw new BadInputError(`${file}: the header says ${header.logs} logs, but the file has ${content.logs}`);
  if (content.sha256 !== header.sha256)
    throw new BadInputError(`${file}: the header says SHA-256 ${header.sha256}, but the logs have ${content.sha256}`);
}

function requireContracts(source: Record<string, unknown>, { name, contracts }: Deployment): void {
  const theirs = asArray('deployment.contracts', source.contracts).map((contract, i) =>
    describeContract(asObject(contract, `deployment.contracts[${i}]`)),
  );
  const ours = contracts.map(describeContract);
  const different = [...theirs.filter((it) => !ours.includes(it)), ...ours.filter((it) => !theirs.includes(it))];
  if (different.length === 0) return;
  throw new BadInputError(
    `deployment: the snapshot is of ${JSON.stringify(source.name)}, which differs from DEPLOYMENT ${JSON.stringify(name)} in ${different[0]}`,
  );
}

const describeContract = ({ chainId, role, address }: Record<keyof Contract, unknown> | Record<string, unknown>) =>
  `the ${role} ${address} on chain ${chainId}`;

function parseChain(field: string, value: unknown, known: readonly number[]): SnapshotChain {
  const { chainId, cursor } = asObject(value, field);
  return {
    chainId: known.find((id) => id === chainId) ?? fail(`${field}.chainId`, `one of ${known.join(', ')}`, chainId),
    cursor: cursor === null ? null : parseCursor(`${field}.cursor`, cursor),
  };
}

function parseCursor(field: string, value: unknown): SnapshotCursor {
  const { time, startBlock, final, ...block } = asObject(value, field);
  const cursor = {
    ...parseBlock(field, block),
    time: parseWholeNumber(`${field}.time`, time, 'Unix seconds'),
    startBlock: parseWholeNumber(`${field}.startBlock`, startBlock, 'a block number'),
    final: parseBlock(`${field}.final`, asObject(final, `${field}.final`)),
  };
  if (cursor.time > MAX_TIME) fail(`${field}.time`, `Unix seconds up to ${MAX_TIME}`, time);
  if (cursor.final.number > cursor.number)
    fail(`${field}.final.number`, `at most ${cursor.number}`, cursor.final.number);
  return cursor;
}

function parseBlock(field: string, { number, hash }: Record<string, unknown>): SnapshotBlock {
  return {
    number: parseWholeNumber(`${field}.number`, number, 'a block number'),
    hash: parseWord(`${field}.hash`, hash),
  };
}

function asArray(field: string, value: unknown): unknown[] {
  return Array.isArray(value) ? value : fail(field, 'an array', value);
}
