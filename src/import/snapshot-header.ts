import { asObject, BadInputError, fail, parseWholeNumber } from '../errors/bad-input.ts';
import { type Contract, chainsOf, type Deployment } from '../protocol/deployments.ts';
import { MAX_TIME, parseWord } from '../protocol/parse-log.ts';

const VERSION = 1;
const START = '{"kithSnapshot":';

export type SnapshotChain = ReturnType<typeof parseChain>;
/** The first line of a snapshot. */
export type SnapshotHeader = ReturnType<typeof createHeader>;

interface Content {
  /** Number of logs, and the SHA-256 of the lines after the header, without compression. */
  readonly logs: number;
  readonly sha256: string;
}

export function createHeader(
  { name, contracts }: Pick<Deployment, 'name' | 'contracts'>,
  content: Content & { readonly chains: readonly SnapshotChain[] },
) {
  // The key that marks the line is the first one.
  return { kithSnapshot: VERSION, deployment: { name, contracts }, ...content };
}

export function isHeader(line: string): boolean {
  return line.startsWith(START);
}

/**
 * Throws unless the snapshot is of the contracts of the deployment. It may lack those that were added, which are not in the
 * header that this returns.
 */
export function parseHeader(json: unknown, configured: Deployment): SnapshotHeader {
  const { kithSnapshot, deployment: source, chains, logs, sha256 } = asObject(json);
  if (kithSnapshot !== VERSION) fail('kithSnapshot', `${VERSION}, which this version of Kith reads`, kithSnapshot);
  const deployment = { ...configured, contracts: contractsOf(asObject(source, 'deployment'), configured) };
  return createHeader(deployment, {
    chains: parseChains(chains, deployment),
    logs: parseWholeNumber('logs', logs, 'a number of logs'),
    sha256: parseWord('sha256', `0x${sha256}`).slice(2),
  });
}

/** Throws unless the lines after the header are those that it describes. */
export function requireContent(file: string, header: Content, content: Content): void {
  if (content.logs !== header.logs)
    throw new BadInputError(`${file}: the header says ${header.logs} logs, but the file has ${content.logs}`);
  if (content.sha256 !== header.sha256)
    throw new BadInputError(`${file}: the header says SHA-256 ${header.sha256}, but the logs have ${content.sha256}`);
}

/** The contracts of the deployment that the snapshot has. */
function contractsOf(source: Record<string, unknown>, { name, contracts }: Deployment): Contract[] {
  const theirs = asArray('deployment.contracts', source.contracts).map((contract, i) =>
    describeContract(asObject(contract, `deployment.contracts[${i}]`)),
  );
  const ours = contracts.map(describeContract);
  const own = contracts.filter(({ startBlock }) => startBlock === undefined).map(describeContract);
  const different = [...theirs.filter((it) => !ours.includes(it)), ...own.filter((it) => !theirs.includes(it))];
  if (different.length === 0) return contracts.filter((contract) => theirs.includes(describeContract(contract)));
  throw new BadInputError(
    `deployment: the snapshot is of ${JSON.stringify(source.name)}, which differs from DEPLOYMENT ${JSON.stringify(name)} in ${different[0]}`,
  );
}

const describeContract = ({ chainId, role, address }: Partial<Record<keyof Contract, unknown>>) =>
  `the ${role} ${address} on chain ${chainId}`;

function parseChains(value: unknown, deployment: Deployment) {
  const chains = asArray('chains', value).map((chain, i) => parseChain(`chains[${i}]`, chain, chainsOf(deployment)));
  for (const [i, { chainId }] of chains.entries()) {
    if (chains.findIndex((chain) => chain.chainId === chainId) < i)
      fail(`chains[${i}].chainId`, 'a chain that is not named before', chainId);
  }
  return chains;
}

function parseChain(field: string, value: unknown, known: readonly number[]) {
  const { chainId, cursor } = asObject(value, field);
  return {
    chainId: known.find((id) => id === chainId) ?? fail(`${field}.chainId`, `one of ${known.join(', ')}`, chainId),
    /** Of the indexer. Null if the logs were imported: then there may be more up to any block. */
    cursor: cursor === null ? null : parseCursor(`${field}.cursor`, cursor),
  };
}

function parseCursor(field: string, value: unknown) {
  const { time, startBlock, final, ...block } = asObject(value, field);
  const cursor = {
    ...parseBlock(field, block),
    time: parseWholeNumber(`${field}.time`, time, 'Unix seconds'),
    startBlock: parseWholeNumber(`${field}.startBlock`, startBlock, 'a block number'),
    /** The last block that was final: a reorg cannot go below it. */
    final: parseBlock(`${field}.final`, asObject(final, `${field}.final`)),
  };
  if (cursor.time > MAX_TIME) fail(`${field}.time`, `Unix seconds up to ${MAX_TIME}`, time);
  if (cursor.startBlock > cursor.number) fail(`${field}.startBlock`, `at most ${cursor.number}`, startBlock);
  if (cursor.final.number > cursor.number)
    fail(`${field}.final.number`, `at most ${cursor.number}`, cursor.final.number);
  return cursor;
}

function parseBlock(field: string, { number, hash }: Record<string, unknown>): { number: number; hash: string } {
  return {
    number: parseWholeNumber(`${field}.number`, number, 'a block number'),
    hash: parseWord(`${field}.hash`, hash),
  };
}

function asArray(field: string, value: unknown): unknown[] {
  return Array.isArray(value) ? value : fail(field, 'an array', value);
}
