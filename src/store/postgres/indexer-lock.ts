import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { LEASE_NAME, requireHolder } from '../lease.ts';
import type { IndexerLock, Store } from '../store.ts';
import { reach } from './errors.ts';

const ADVISORY_KEY = 0x6b697469;
/** A connection that is silent for this long is taken for lost, as one is whose other end is gone without a word. */
const SILENCE_MS = 5_000;

/** A lock of a connection, which the server gives up with it; the row beside it tells a holder that it has lost. */
export function createAdvisoryLock(options: { transaction: Store['transaction']; url: string }): IndexerLock {
  const { transaction, url } = options;
  const holder = randomUUID();
  let client: pg.Client | undefined;
  const connect = async () => {
    const next = new pg.Client({
      connectionString: url,
      application_name: 'kith-indexer',
      query_timeout: SILENCE_MS,
    });
    // A lost connection is a lost lock: the next `hold` sees that there is none.
    const drop = () => {
      if (client === next) client = undefined;
    };
    next.on('error', drop).on('end', drop);
    await next.connect();
    return next;
  };
  /** Whether the connection still stands, and nobody has taken over since; if not, it is given up. */
  const keep = async (current: pg.Client) => {
    try {
      const { rows } = await current.query<{ holder: string }>('select holder from leases where name = $1', [
        LEASE_NAME,
      ]);
      if (rows[0]?.holder === holder) return true;
      client = undefined;
      await current.end();
      return false;
    } catch {
      // Nobody may have noticed yet: the lock can be tried for again at once.
      client = undefined;
      current.end().catch(() => undefined);
      return null;
    }
  };
  return {
    async hold() {
      const kept = client === undefined ? null : await keep(client);
      if (kept !== null) return kept;
      const next = await reach(connect);
      try {
        const { rows } = await reach(() =>
          next.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [ADVISORY_KEY]),
        );
        if (rows[0]?.locked !== true) {
          await next.end();
          return false;
        }
        await transaction((tx) => tx.upsert('leases', [{ name: LEASE_NAME, holder, expires_at: 0 }]));
        client = next;
        return true;
      } catch (error) {
        // The server may have given the lock all the same: it goes with the connection.
        next.end().catch(() => undefined);
        throw error;
      }
    },
    fence: (tx) => requireHolder(tx, holder),
    async release() {
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
