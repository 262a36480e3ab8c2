import { pino } from 'pino';
import { createChainCursor } from '../../src/indexer/chain-cursor.ts';
import type { ChainEvent } from '../../src/indexer/chain-event.ts';
import { createChainWriter } from '../../src/indexer/chain-writer.ts';
import { createCounters } from '../../src/indexer/counters.ts';
import { createEventHandler } from '../../src/indexer/event-handler.ts';
import { createLogLoader } from '../../src/ingest/load-logs.ts';
import { createRoleOf, deployments } from '../../src/protocol/deployments.ts';
import type { Store } from '../../src/store/store.ts';

/** Cursor and event handler of one chain, without an indexer lock. */
export function createTestState(store: Store, { chainId, now }: { chainId: number; now: () => number }) {
  const loader = createLogLoader({ now });
  const handler = createEventHandler({
    chainIds: [chainId],
    write: store.transaction,
    loader,
    now,
    counters: createCounters(store),
    logger: pino({ level: 'silent' }),
    showProgress: () => ({ update: () => undefined, end: () => undefined }),
    onRanked: async () => undefined,
  });
  const writer = createChainWriter({ chainId, roleOf: createRoleOf(deployments.mainnet), loader, now });
  return {
    loader,
    writer,
    cursor: createChainCursor(store.reader, chainId),
    handle: (event: ChainEvent) => handler.handle(writer, event),
  };
}
