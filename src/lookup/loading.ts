import type { UnixMs } from '../async/unix-time.ts';
import type { Status } from '../contract/status-schema.ts';
import type { Row } from '../store/schema.ts';

/** How far the chains have been read for the first time. */
export type Loading = NonNullable<Status['loading']>;

/** A chain that is indexed, with its first block. */
export type Claim = Pick<Row<'indexed_contracts'>, 'chain_id' | 'start_block' | 'is_indexed'>;
type Cursor = Pick<Row<'cursors'>, 'chain_id' | 'number' | 'head_number' | 'checked_at'>;

/** An indexer that has written nothing for this long may not be running, so that its estimate does not hold. */
const MAX_SILENCE_MS = 120_000;

/** `endsAt` is `load_ends_at`. Null if no chain is indexed. */
export function loadingOf(
  claims: readonly Claim[],
  cursors: readonly Cursor[],
  endsAt: UnixMs,
  now: UnixMs,
): Loading | null {
  const indexed = claims.filter(({ is_indexed }) => is_indexed === 1);
  if (indexed.length === 0) return null;
  let [done, total, checkedAt] = [0, 0, 0];
  for (const { chain_id, start_block } of indexed) {
    const cursor = cursors.find((known) => known.chain_id === chain_id);
    // The length of a chain that no node has been asked about is unknown, and so is any part of the whole.
    if (cursor === undefined) return { percent: null, secondsLeft: null };
    done += cursor.number - start_block + 1;
    total += cursor.head_number - start_block + 1;
    checkedAt = Math.max(checkedAt, cursor.checked_at);
  }
  const isRunning = now - checkedAt <= MAX_SILENCE_MS;
  return {
    // Not 100: what has been read is not in the graph yet.
    percent: Math.max(0, Math.min(99, Math.floor((100 * done) / total))),
    secondsLeft: isRunning && endsAt > now ? Math.ceil((endsAt - now) / 1000) : null,
  };
}
