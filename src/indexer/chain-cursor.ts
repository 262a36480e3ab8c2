import { param } from '../store/params.ts';
import type { Row } from '../store/schema.ts';
import { readState } from '../store/state.ts';
import { statement } from '../store/statement.ts';
import type { Reader } from '../store/store.ts';
import type { BlockRef } from './find-fork.ts';

/** The position of the indexer on one chain. */
export interface ChainCursor {
  readCursor(): Promise<Row<'cursors'> | null>;
  /** The recent blocks: consecutive heights that end at the cursor, or its block and a final one after a snapshot. */
  readRecent(): Promise<BlockRef[]>;
  /** The range size of an earlier backfill, if there was one. */
  readRangeSize(): Promise<number | null>;
}

const CHAIN_ID = param<number>('chainId');
const CURSOR = statement<{ chainId: number }, Row<'cursors'>>((db) =>
  db.selectFrom('cursors').selectAll().where('chain_id', '=', CHAIN_ID),
);
const RECENT = statement<{ chainId: number }, BlockRef>((db) =>
  db.selectFrom('recent_blocks').select(['number', 'hash']).where('chain_id', '=', CHAIN_ID).orderBy('number'),
);

/** Reads without a write lock. */
export function createChainCursor(reader: Reader, chainId: number): ChainCursor {
  return {
    async readCursor() {
      const [cursor] = await reader.all(CURSOR, { chainId });
      return cursor ?? null;
    },
    readRecent: () => reader.all(RECENT, { chainId }),
    readRangeSize: async () => (await readState(reader))(`range_size_${chainId}`) || null,
  };
}
