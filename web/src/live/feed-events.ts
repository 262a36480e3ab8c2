import type { ChainEvent } from '@kith-efp/client';
import type { Update } from './connection.ts';

export type ListOp = Extract<ChainEvent, { readonly target: string }>;

/** The types of events that a feed shows. */
export const FEED_TYPES = 'follow,unfollow,block,unblock,mute,unmute,tag,untag';

export const isListOp = (event: { readonly type: string }): event is ListOp =>
  FEED_TYPES.split(',').includes(event.type);

/** The same for the same event in every stream. */
export const keyOf = ({ chain_id, block_hash, log_index }: ListOp): string => `${chain_id} ${block_hash} ${log_index}`;

/** The newest events, the latest first, after what a stream has sent: an undo takes away what it voids. */
export function withUpdate(
  events: readonly ListOp[],
  update: Pick<Update, 'events'>,
  count: number,
): readonly ListOp[] {
  let next = [...events];
  for (const event of update.events) {
    if (event.type === 'undo')
      next = next.filter(({ chain_id, block }) => chain_id !== event.chain_id || block <= event.block);
    else if (isListOp(event) && !next.some((known) => keyOf(known) === keyOf(event))) next.unshift(event);
  }
  return next.toSorted((a, b) => Date.parse(b.time) - Date.parse(a.time)).slice(0, count);
}
