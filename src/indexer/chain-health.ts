import type { Logger } from 'pino';
import type { OperatorError } from '../errors/operator-error.ts';
import type { RemoteError } from '../remote/remote-error.ts';
import { markLoaded } from '../store/marks.ts';
import type { Store, Transaction } from '../store/store.ts';
import type { ChainFault } from './chain-event.ts';
import type { ChainWriter } from './chain-writer.ts';

export interface ChainHealthOptions {
  readonly chainIds: readonly number[];
  readonly write: Store['transaction'];
  readonly logger: Logger;
}

/** Logs outages and stops of chains, each once, and stores them for the processes that serve. */
export function createChainHealth({ chainIds, write, logger }: ChainHealthOptions) {
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

  const setFault = async (chain: ChainWriter, fault: ChainFault | null) => {
    const known = faults.get(chain.chainId);
    if (known !== undefined && known?.code === fault?.code && known?.message === fault?.message) return;
    await write((tx) => chain.writeFault(tx, fault));
    faults.set(chain.chainId, fault);
    if (fault !== null) caughtUp.delete(chain.chainId);
  };
  /** Something was read. */
  const works = async (chain: ChainWriter) => {
    const known = faults.get(chain.chainId);
    await setFault(chain, null);
    if (known) logger.info({ chain: chain.chainId }, 'the chain is being indexed again');
  };

  return {
    works,
    /** No node answers. */
    async unavailable(chain: ChainWriter, error: RemoteError) {
      const isNew = faults.get(chain.chainId)?.code !== 'E_NODE_UNAVAILABLE';
      const message = 'no RPC node is available, retrying';
      const fault = { kind: error.fault.kind, reason: error.message };
      logger[isNew ? 'warn' : 'debug']({ chain: chain.chainId, ...fault }, message);
      await setFault(chain, { code: 'E_NODE_UNAVAILABLE', message: `no RPC node is available: ${error.message}` });
    },
    /** An error that repeating the request does not resolve. */
    async stopped(chain: ChainWriter, { code, message }: OperatorError) {
      const isNew = faults.get(chain.chainId)?.message !== message;
      logger[isNew ? 'error' : 'debug']({ chain: chain.chainId, code, reason: message }, 'indexing of a chain stopped');
      await setFault(chain, { code, message });
    },
    /** Everything up to `block` was read. */
    async caughtUp(chain: ChainWriter, block: number) {
      await works(chain);
      if (caughtUp.has(chain.chainId)) return;
      caughtUp.add(chain.chainId);
      read.add(chain.chainId);
      logger.info({ chain: chain.chainId, block }, 'caught up with the chain');
      await write(markIfLoaded);
    },
  };
}
