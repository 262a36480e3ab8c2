import { param } from '../store/params.ts';
import type { Row } from '../store/schema.ts';
import type { Reader } from '../store/store.ts';
import type { BlockRef } from './find-fork.ts';

/** The position of the indexer on one chain. */
export interface ChainCursor {
  readCursor(): Promise<Row<'cursors'> | null>;
  /** The recent blocks: consecutive heights that end at the cursor. */
  readRecent(): Promise<BlockRef[]>;
}

/** Prepares the queries once for all chains. They take no write lock. */
export function prepareChainCursors(reader: Reader): (chainId: number) => ChainCursor {
  const chainId = param<number>('chainId');
  const cursorOf = reader.prepare<{ chainId: number }, Row<'cursors'>>((db) =>
    db.selectFrom('cursors').selectAll().where('chain_id', '=', chainId),
  );
  const recentOf = reader.prepare<{ chainId: number }, BlockRef>((db) =>
    db.selectFrom('recent_blocks').select(['number', 'hash']).where('chain_id', '=', chainId).orderBy('number'),
  );
  return (chainId) => ({
    async readCursor() {
      const [cursor] = await cursorOf({ chainId });
      return cursor ?? null;
    },
    readRecent: () => recentOf({ chainId }),
  });
}
