import type { Logger } from 'pino';
import type { UnixMs } from '../async/unix-time.ts';
import type { OperatorError } from '../errors/operator-error.ts';
import type { RemoteError } from '../remote/remote-error.ts';
import { markLoaded } from '../store/state.ts';
import type { Store, Transaction } from '../store/store.ts';

/** Why a chain is not being indexed. */
type ChainFault = Pick<OperatorError, 'code' | 'message'>;

export interface ChainHealthOptions {
  readonly chainIds: readonly number[];
  readonly write: Store['transaction'];
  readonly logger: Logger;
  readonly now: () => UnixMs;
}

/** Logs outages and stops of chains, each once, and stores them for the processes that serve. */
export function createChainHealth({ chainIds, write, logger, now }: ChainHealthOptions) {
  /** By chain. A chain without an entry may have a fault that an earlier process stored. */
  const faults = new Map<number, ChainFault | null>();
  const caughtUp = new Set<number>();
  /** Chains that were read completely once. Unlike those that are caught up, they may have a fault. */
  const read = new Set<number>();

  const markIfLoaded = async (tx: Transaction) => {
    const cursors = await tx.query((db) => db.selectFrom('cursors').select(['chain_id', 'number', 'head_number']));
    // An earlier process may have read a chain whose nodes are away now.
    for (const { chain_id, number, head_number } of cursors) if (number >= head_number) read.add(chain_id);
    if (chainIds.every((chainId) => read.has(chainId))) await markLoaded(tx);
  };

  const setFault = async (chain: number, fault: ChainFault | null) => {
    const known = faults.get(chain);
    if (known !== undefined && known?.code === fault?.code && known?.message === fault?.message) return;
    await write((tx) => writeFault(tx, chain, fault, now()));
    faults.set(chain, fault);
    if (fault !== null) caughtUp.delete(chain);
  };
  /** Something was read. */
  const works = async (chain: number) => {
    const known = faults.get(chain);
    await setFault(chain, null);
    if (known) logger.info({ chain }, 'the chain is being indexed again');
  };

  return {
    works,
    /** No node answers. */
    async unavailable(chain: number, error: RemoteError) {
      const isNew = faults.get(chain)?.code !== 'E_NODE_UNAVAILABLE';
      const message = 'no RPC node is available, retrying';
      logger[isNew ? 'warn' : 'debug']({ chain, kind: error.fault.kind, reason: error.message }, message);
      await setFault(chain, { code: 'E_NODE_UNAVAILABLE', message: `no RPC node is available: ${error.message}` });
    },
    /** An error that repeating the request does not resolve. Returns whether all chains have one. */
    async stopped(chain: number, { code, message }: OperatorError): Promise<boolean> {
      const isNew = faults.get(chain)?.message !== message;
      logger[isNew ? 'error' : 'debug']({ chain, code, reason: message }, 'indexing of a chain stopped');
      await setFault(chain, { code, message });
      return chainIds.every((chainId) => (faults.get(chainId)?.code ?? 'E_NODE_UNAVAILABLE') !== 'E_NODE_UNAVAILABLE');
    },
    /** Everything up to `block` was read. */
    async caughtUp(chain: number, block: number) {
      await works(chain);
      if (caughtUp.has(chain)) return;
      caughtUp.add(chain);
      read.add(chain);
      logger.info({ chain, block }, 'caught up with the chain');
      await write(markIfLoaded);
    },
  };
}

/** Stores why a chain is not being indexed, or removes that if it is null. */
export async function writeFault(tx: Transaction, chain_id: number, fault: ChainFault | null, now: UnixMs) {
  if (fault === null) return tx.remove('chain_faults', [{ chain_id }]);
  const [known] = await tx.readBy('chain_faults', 'chain_id', [chain_id]);
  const since = known?.code === fault.code ? known.since : now;
  await tx.upsert('chain_faults', [{ chain_id, ...fault, since }]);
}
