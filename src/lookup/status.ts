import type { StateKey } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

export interface Status {
  readonly engine: Store['engine'];
  readonly dataVersion: number;
  readonly counts: Readonly<Record<'logs' | 'ignoredOps' | 'lists' | 'accounts' | 'follows' | 'ranked', number>>;
  /** Null until ranks have been made. */
  readonly ranksMadeAt: string | null;
  readonly chains: readonly ChainStatus[];
}

/** `head`, `finalized` and the lags are known only while the chain is being indexed. */
export interface ChainStatus {
  readonly chainId: number;
  readonly indexed: { readonly number: number; readonly hash: string; readonly timestamp: number };
  readonly head: number | null;
  readonly finalized: number | null;
  readonly lagBlocks: number | null;
  readonly lagSeconds: number | null;
}

/** How the database stands. Cheap however large the graph is: counts are kept, not counted. */
export function createStatusLookup({ engine, reader }: Pick<Store, 'engine' | 'reader'>): () => Promise<Status> {
  const state = reader.prepare<object, { key: StateKey; value: number }>((db) => db.selectFrom('state').selectAll());
  const chains = reader.prepare<
    object,
    { chain_id: number; block_number: number; block_hash: string; block_time: number }
  >((db) => db.selectFrom('chains').selectAll().orderBy('chain_id'));
  return async () => {
    const values = new Map((await state({})).map(({ key, value }) => [key, value]));
    const numberOf = (key: StateKey) => values.get(key) ?? 0;
    const madeAt = numberOf('ranks_made_at');
    return {
      engine,
      dataVersion: numberOf('data_version'),
      counts: {
        logs: numberOf('logs'),
        ignoredOps: numberOf('ignored_ops'),
        lists: numberOf('lists'),
        accounts: numberOf('accounts'),
        follows: numberOf('follows'),
        ranked: numberOf('ranked'),
      },
      ranksMadeAt: madeAt === 0 ? null : new Date(madeAt).toISOString(),
      chains: (await chains({})).map((chain) => ({
        chainId: chain.chain_id,
        indexed: { number: chain.block_number, hash: chain.block_hash, timestamp: chain.block_time },
        head: null,
        finalized: null,
        lagBlocks: null,
        lagSeconds: null,
      })),
    };
  };
}
