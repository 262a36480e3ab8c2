import { OperatorError, OtherDeploymentError } from '../errors/operator-error.ts';
import { type Contract, chainsOf, contractsOn, type Deployment, firstBlockOf } from '../protocol/deployments.ts';
import type { Transaction } from '../store/store.ts';
import { addFirst, changeContracts, describeContract, writeHistory } from './added-contracts.ts';

/** The blocks between the configured start block and the one of the database would be missing. */
export class EarlierStartBlockError extends OperatorError {
  readonly code = 'E_EARLIER_START_BLOCK';

  constructor(chainId: number, configured: number, stored: number) {
    super(
      `START_BLOCK_${chainId}: the database was indexed from block ${stored}, so it lacks the logs from block ${configured} on; use block ${stored}, or an empty database`,
    );
  }
}

export interface ChainClaim {
  readonly chainId: number;
  readonly deployment: Deployment;
  /** Of the contracts that were not added to the deployment. */
  readonly startBlock: number;
}

/** What a claim has changed of the contracts of a chain that was indexed before. */
export interface ClaimChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

const NO_CHANGES: ClaimChanges = { added: [], removed: [] };

/**
 * Throws unless the database was indexed with this deployment and start block; contracts may have been added, and added ones
 * removed. The first run stores them.
 */
export async function claimChain(tx: Transaction, claim: ChainClaim): Promise<ClaimChanges> {
  const { chainId, deployment, startBlock } = claim;
  const cursors = await tx.query((db) => db.selectFrom('cursors').select(['chain_id', 'number']).orderBy('chain_id'));
  for (const { chain_id } of cursors) await requireOwn(tx, deployment, chain_id);
  await recordOthers(tx, deployment, [chainId, ...cursors.map((cursor) => cursor.chain_id)]);
  const ours = contractsOn(deployment, chainId);
  const contracts = describeContracts(ours);
  const cursor = cursors.find((known) => known.chain_id === chainId);
  const [stored] = cursor === undefined ? [] : await tx.readBy('indexed_contracts', 'chain_id', [chainId]);
  if (cursor === undefined || stored === undefined) {
    const history = await addFirst(tx, chainId, ours);
    const start_block = firstBlockOf(ours, startBlock);
    await tx.upsert('indexed_contracts', [{ chain_id: chainId, contracts, start_block, is_indexed: 1, history }]);
    return NO_CHANGES;
  }
  const theirs = stored.contracts.split(', ');
  const kept = ours.filter((contract) => theirs.includes(describeContract(contract)));
  if (kept.some((contract) => contract.startBlock === undefined))
    requireStartBlock(chainId, startBlock, stored.start_block);
  const isMissed = await findMissed(tx, chainId, stored.start_block);
  const added = ours.filter((contract) => !kept.includes(contract) || isMissed(contract));
  const removed = theirs.filter((described) => !kept.some((contract) => describeContract(contract) === described));
  if (added.length + removed.length === 0) return NO_CHANGES;
  const changes = { added: added.map(({ address }) => address), removed: removed.map(addressOf) };
  const areRecords = added.every(({ role }) => role === 'list-records');
  const claimed = {
    ...{ chainId, cursor: cursor.number, removed: changes.removed },
    added: added.map((contract) => ({ ...contract, startBlock: contract.startBlock ?? startBlock })),
  };
  if (kept.length === 0 || !areRecords || !(await changeContracts(tx, claimed)))
    throw new OtherDeploymentError(chainId, deployment.name);
  await tx.upsert('indexed_contracts', [{ ...stored, contracts }]);
  await writeHistory(tx, chainId);
  return changes;
}

function requireStartBlock(chainId: number, configured: number, stored: number): void {
  if (configured < stored) throw new EarlierStartBlockError(chainId, configured, stored);
}

/** Whether an added contract begins before the first block that was read of it, as its setting was changed since. */
async function findMissed(tx: Transaction, chainId: number, chainStart: number) {
  const known = await tx.readBy('added_contracts', 'chain_id', [chainId]);
  return ({ address, startBlock = Number.POSITIVE_INFINITY }: Contract) =>
    startBlock < (known.find((row) => row.address === address)?.start_block ?? chainStart);
}

/** Throws if an indexed chain is not of the deployment, unless all of its contracts were added. */
async function requireOwn(tx: Transaction, deployment: Deployment, chainId: number): Promise<void> {
  if (chainsOf(deployment).includes(chainId)) return;
  const [stored] = await tx.readBy('indexed_contracts', 'chain_id', [chainId]);
  const added = await tx.readBy('added_contracts', 'chain_id', [chainId]);
  const isAdded = (described: string) => added.some(({ address }) => address === addressOf(described));
  if (stored === undefined || !stored.contracts.split(', ').every(isAdded))
    throw new OtherDeploymentError(chainId, deployment.name);
}

/** The other chains of the deployment are not indexed unless they are claimed as well. Those of another are forgotten. */
async function recordOthers(tx: Transaction, deployment: Deployment, claimed: readonly number[]): Promise<void> {
  const known = await tx.query((db) => db.selectFrom('indexed_contracts').select('chain_id'));
  const chains = chainsOf(deployment);
  await tx.remove(
    'indexed_contracts',
    known.filter(({ chain_id }) => !chains.includes(chain_id) && !claimed.includes(chain_id)),
  );
  const others = chains.filter(
    (chainId) => !claimed.includes(chainId) && !known.some(({ chain_id }) => chain_id === chainId),
  );
  await tx.upsert(
    'indexed_contracts',
    others.map((chainId) => ({
      chain_id: chainId,
      contracts: describeContracts(contractsOn(deployment, chainId)),
      start_block: firstBlockOf(contractsOn(deployment, chainId), deployment.startBlocks[chainId] ?? 0),
      is_indexed: 0,
      history: 0,
    })),
  );
}

/** Roles and addresses, in an order that does not depend on that of the deployment. */
function describeContracts(contracts: readonly Contract[]): string {
  return contracts.map(describeContract).sort().join(', ');
}

const addressOf = (described: string) => described.replace(/^.* /, '');
