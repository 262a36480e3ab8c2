import Database from 'better-sqlite3';
import type { SimulatedChain } from './simulated-chain.ts';

/** The settings of a process that indexes these chains. */
export function indexingEnv(chains: readonly SimulatedChain[]): Record<string, string> {
  return {
    POLL_INTERVAL_MS: '50',
    RANKS_INTERVAL_MS: '500',
    ...Object.fromEntries(chains.map(({ chainId, url }) => [`RPC_URL_${chainId}`, url])),
    ...Object.fromEntries(chains.map(({ chainId }) => [`START_BLOCK_${chainId}`, '0'])),
    // The chains of drills are short.
    ...Object.fromEntries(chains.map(({ chainId }) => [`FINALITY_DEPTH_${chainId}`, '0'])),
  };
}

/** Whether all blocks are stored and ranked. */
export function isIndexed(path: string, chains: readonly SimulatedChain[]): boolean {
  try {
    const db = new Database(path, { readonly: true });
    try {
      // Safe: these are the columns of the statement.
      const cursors = db.prepare('select chain_id, hash from cursors').all() as { chain_id: number; hash: string }[];
      const versions = db
        .prepare("select count(distinct value) from state where key in ('graph_version', 'ranks_graph_version')")
        .pluck()
        .get();
      const hashes = new Map(cursors.map(({ chain_id, hash }) => [chain_id, hash]));
      return versions === 1 && chains.every((chain) => hashes.get(chain.chainId) === chain.head().hash);
    } finally {
      db.close();
    }
  } catch {
    // The database may not have its tables yet.
    return false;
  }
}
