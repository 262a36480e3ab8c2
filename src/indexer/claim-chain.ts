import { OperatorError, OtherDeploymentError } from '../errors/operator-error.ts';
import { chainsOf, type Deployment } from '../protocol/deployments.ts';
import type { Transaction } from '../store/store.ts';

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
  readonly startBlock: number;
}

/** Throws unless the database was indexed with this deployment and start block. The first run stores them. */
export async function claimChain(tx: Transaction, { chainId, deployment, startBlock }: ChainClaim): Promise<void> {
  const cursors = await tx.query((db) => db.selectFrom('cursors').select('chain_id').orderBy('chain_id'));
  const chains = chainsOf(deployment);
  const foreign = cursors.find((cursor) => !chains.includes(cursor.chain_id));
  if (foreign !== undefined) throw new OtherDeploymentError(foreign.chain_id, deployment.name);
  await recordOthers(tx, deployment, [chainId, ...cursors.map((cursor) => cursor.chain_id)]);
  const contracts = describeContracts(deployment, chainId);
  const isIndexed = cursors.some((cursor) => cursor.chain_id === chainId);
  const [stored] = isIndexed ? await tx.readBy('indexed_contracts', 'chain_id', [chainId]) : [];
  if (stored === undefined) {
    const row = { chain_id: chainId, contracts, start_block: startBlock, is_indexed: 1 };
    return tx.upsert('indexed_contracts', [row]);
  }
  if (stored.contracts !== contracts) throw new OtherDeploymentError(chainId, deployment.name);
  if (startBlock < stored.start_block) throw new EarlierStartBlockError(chainId, startBlock, stored.start_block);
}

/** The other chains of the deployment are not indexed unless they are claimed as well. Those of another are forgotten. */
async function recordOthers(tx: Transaction, deployment: Deployment, claimed: readonly number[]): Promise<void> {
  const known = await tx.query((db) => db.selectFrom('indexed_contracts').select('chain_id'));
  const chains = chainsOf(deployment);
  await tx.remove(
    'indexed_contracts',
    known.filter(({ chain_id }) => !chains.includes(chain_id)),
  );
  const others = chains.filter(
    (chainId) => !claimed.includes(chainId) && !known.some(({ chain_id }) => chain_id === chainId),
  );
  await tx.upsert(
    'indexed_contracts',
    others.map((chainId) => ({
      chain_id: chainId,
      contracts: describeContracts(deployment, chainId),
      start_block: deployment.startBlocks[chainId] ?? 0,
      is_indexed: 0,
    })),
  );
}

/** Roles and addresses, in an order that does not depend on that of the deployment. */
function describeContracts({ contracts }: Deployment, chainId: number): string {
  return contracts
    .filter((contract) => contract.chainId === chainId)
    .map(({ role, address }) => `${role} ${address}`)
    .sort()
    .join(', ');
}
