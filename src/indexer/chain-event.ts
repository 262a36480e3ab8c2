import type { ErrorCode, OperatorError } from '../errors/operator-error.ts';
import type { ChainLog } from '../protocol/decode-log.ts';
import type { RemoteError } from '../remote/remote-error.ts';
import type { BlockHeader, ChainHeads } from '../rpc/chain-node.ts';
import type { BlockRef } from './find-fork.ts';

/** Why a chain is not being indexed. */
export interface ChainFault {
  readonly code: ErrorCode;
  readonly message: string;
}

/** What happens on one chain. The consumer writes an event before the next one is produced. */
export type ChainEvent =
  /** A backfill of final blocks starts; its ranges follow. */
  | { readonly kind: 'backfill-start'; readonly from: number; readonly to: number }
  | RangeEvent
  | { readonly kind: 'backfill-end' }
  | BlockEvent
  | ReorgEvent
  /** Nothing more to read until the next poll. `heads` is null when the nodes' answers did not allow to go on. */
  | { readonly kind: 'idle'; readonly heads: ChainHeads | null }
  /** No node answered. The generator retries after the poll interval. */
  | { readonly kind: 'unavailable'; readonly error: RemoteError }
  /** An error that needs the operator. The chain is tried again after some time; other chains go on. */
  | { readonly kind: 'stopped'; readonly error: OperatorError };

/** All logs of final blocks from the cursor up to `last`. */
export interface RangeEvent {
  readonly kind: 'range';
  readonly logs: readonly ChainLog[];
  readonly last: BlockHeader;
  readonly heads: ChainHeads;
  /** Blocks per request that the nodes accept. */
  readonly rangeSize: number;
}

/** One block on top of the cursor. */
export interface BlockEvent {
  readonly kind: 'block';
  readonly logs: readonly ChainLog[];
  readonly block: BlockHeader;
  readonly heads: ChainHeads;
}

/** The blocks above `fork` were orphaned. */
export interface ReorgEvent {
  readonly kind: 'reorg';
  readonly fork: BlockRef;
  /** Of the fork block, in Unix seconds. */
  readonly time: number;
  readonly depth: number;
}
