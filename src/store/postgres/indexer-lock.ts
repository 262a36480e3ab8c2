import type pg from 'pg';
import { withDeadline } from '../../async/deadline.ts';
import { createHolder, LEASE_NAME, LockLostError, requireHolder } from '../lease.ts';
import { type IndexerLock, type Store, StoreUnavailableError } from '../store.ts';
import { createClient, firstQuery, sessionSettings } from './connection.ts';
import { requirePrimary, withUnavailable } from './errors.ts';

const ADVISORY_KEY = 0x6b697469;
/** Detects a connection whose other end has vanished without closing it. */
const QUERY_TIMEOUT_MS = 5_000;
/**
 * Instead of the driver's timeout: a fold may block the event loop for longer, and the answer has arrived by then. Whether it
 * is still the holder, each write transaction asks anyway.
 */
function inTime<T>(query: Promise<T>): Promise<T> {
  return withDeadline(query, QUERY_TIMEOUT_MS, () => new StoreUnavailableError('a query did not end in time'));
}

/** The server gives up before the client does: abandoned sessions would pile up behind a lock. */
const SETTINGS = { statement_timeout: `'4s'` };

/**
 * A session-level advisory lock, which the server releases when the connection ends. A row of `leases` names the holder, so
 * that a process whose connection was lost notices that another one has taken over.
 */
export function createPostgresLock(
  options: Pick<Store, 'transaction'> & { readonly name: string | undefined; readonly url: string },
): IndexerLock {
  const { transaction, url } = options;
  const holder = createHolder(options.name);
  let client: pg.Client | undefined;
  const connect = async () => {
    const next = createClient({ url, name: 'kith-indexer' });
    // A lost connection is a lost lock: the next `hold` connects again.
    const drop = () => {
      if (client === next) client = undefined;
    };
    next.on('error', drop).on('end', drop);
    await next.connect();
    await firstQuery(next, sessionSettings(SETTINGS));
    return next;
  };
  /**
   * True if this process still holds the lock, false if another one has taken it, null if the connection is lost or its
   * server is no longer a primary.
   */
  const check = async (current: pg.Client) => {
    try {
      await inTime(requirePrimary(current));
      const { rows } = await inTime(
        current.query<{ holder: string }>('select holder from leases where name = $1', [LEASE_NAME]),
      );
      if (rows[0]?.holder === holder) return true;
      client = undefined;
      await current.end();
      return false;
    } catch {
      client = undefined;
      current.end().catch(() => undefined);
      return null;
    }
  };
  return {
    async hold() {
      const held = client === undefined ? null : await check(client);
      if (held !== null) return held;
      const next = await withUnavailable(connect);
      try {
        const { rows } = await withUnavailable(() =>
          inTime(next.query<{ locked: boolean }>('select pg_try_advisory_lock($1) as locked', [ADVISORY_KEY])),
        );
        if (rows[0]?.locked !== true) {
          await next.end();
          return false;
        }
        await transaction((tx) => tx.upsert('leases', [{ name: LEASE_NAME, holder, renewals: 0 }]));
        client = next;
        return true;
      } catch (error) {
        // The server may have granted the lock; ending the connection releases it.
        next.end().catch(() => undefined);
        throw error;
      }
    },
    /** The server knows whether the holder is still connected. */
    acquire() {
      return this.hold();
    },
    async keep() {
      const held = client === undefined ? null : await check(client);
      // A new connection may lead to a server that lacks the newest commits.
      if (held === null) throw new LockLostError('its connection was lost, or its server is no longer a primary');
      if (!held) throw new LockLostError();
    },
    async fence(tx) {
      await requireHolder(tx, holder);
    },
    async release() {
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}
