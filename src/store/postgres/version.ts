import type pg from 'pg';
import { withDeadline } from '../../async/deadline.ts';
import { VERSION_CHANNEL } from '../dialect.ts';
import type { Outage } from '../outage.ts';
import { createClient, sessionSettings } from './connection.ts';

const RECONNECT_MS = 1_000;
const PROBE_MS = 1_000;
/** A network may drop a connection without closing it, so the version is known only while probes are answered. */
const PROBE_TIMEOUT_MS = 3_000;
/** The server gives up before the client does: abandoned sessions would pile up behind a lock. */
const SETTINGS = { statement_timeout: `'2s'` };
/** How long `close` waits for the goodbye of a connection that may be dead. */
const CLOSE_TIMEOUT_MS = 1_000;
/**
 * Added to the version each time that the stored one has fallen, as after a failover to a replica that lacks the last
 * commits: the versions that follow belong to other data than the responses that were cached under them.
 */
const GENERATION = 2 ** 32;

const READ_VERSION = "select value from state where key = 'data_version'";

/**
 * Listens for notifications on a dedicated connection, and reads the version on it once a second. While there is no
 * answer, the version is unknown.
 */
export function createPostgresVersion({ url, outage }: { url: string; outage: Outage }) {
  let version: number | null = null;
  let lastStored = 0;
  let generation = 0;
  /** By `performance.now()`. */
  let knownUntil = 0;
  let client: pg.Client | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const setVersion = (stored: number) => {
    if (stored < lastStored) generation += 1;
    lastStored = stored;
    version = stored + generation * GENERATION;
  };

  async function listen(): Promise<void> {
    const next = createClient({ url, name: 'kith-version', queryTimeoutMs: PROBE_TIMEOUT_MS });
    client = next;
    const reconnect = (error: Error) => {
      if (client !== next || closed) return;
      client = undefined;
      version = null;
      outage.fail(error);
      next.connection.stream.destroy();
      clearTimeout(timer);
      timer = setTimeout(listen, RECONNECT_MS);
    };
    const probe = async () => {
      const start = performance.now();
      try {
        const { rows } = await next.query<{ value: number }>(READ_VERSION);
        if (client !== next || closed) return;
        setVersion(rows[0]?.value ?? 0);
        knownUntil = start + PROBE_MS + PROBE_TIMEOUT_MS;
        outage.answer();
        timer = setTimeout(probe, PROBE_MS);
      } catch (error) {
        reconnect(error as Error);
      }
    };
    next.on('error', reconnect);
    next.on('end', () => reconnect(new Error('Connection terminated')));
    next.on('notification', ({ payload }) => {
      setVersion(Number(payload));
    });
    try {
      await next.connect();
      // Listen before reading: a commit in between is then notified.
      await next.query(`${sessionSettings(SETTINGS)}; listen ${VERSION_CHANNEL}`);
    } catch (error) {
      return reconnect(error as Error);
    }
    await probe();
  }

  return {
    /** Resolves when the first connection listens or has failed. */
    ready: listen(),
    current: (): number | null => (performance.now() < knownUntil ? version : null),
    async close() {
      closed = true;
      clearTimeout(timer);
      const last = client;
      if (last === undefined) return;
      const late = () => new Error('the connection did not close in time');
      await withDeadline(last.end(), CLOSE_TIMEOUT_MS, late).catch(() => last.connection.stream.destroy());
    },
  };
}
