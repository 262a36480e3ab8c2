import type pg from 'pg';
import { withDeadline } from '../../async/deadline.ts';
import { postgresDialect, VERSION_CHANNEL } from '../dialect.ts';
import type { Outage } from '../outage.ts';
import { parseVersions, type Versions } from '../versions.ts';
import { createClient, firstQuery, SELECT_SERVER, sessionSettings } from './connection.ts';
import { asLostConnection, requirePrimary } from './errors.ts';

const RECONNECT_MS = 1_000;
const PROBE_MS = 1_000;
/** A network may drop a connection without closing it, so the version is known only while probes are answered. */
const PROBE_TIMEOUT_MS = 3_000;
/** The server gives up before the client does: abandoned sessions would pile up behind a lock. */
const SETTINGS = { statement_timeout: `'2s'` };
/** How long `close` waits for the goodbye of a connection that may be dead. */
const CLOSE_TIMEOUT_MS = 1_000;

/**
 * Listens for notifications on a dedicated connection, and reads the versions on it once a second. While there is no
 * answer, they are unknown. A version is one of a single connection and server: during a failover, connections lead to
 * different servers, whose data may differ.
 */
export function createPostgresVersion({ url, outage }: { url: string; outage: Outage }) {
  let versions: Versions | null = null;
  /** As stored; without a meaning while `versions` is null. */
  let stored = '';
  let connections = 0;
  /** How many commits were notified or made: versions that were read meanwhile may be older. */
  let raises = 0;
  /** Of commits of this process whose notification has not arrived. */
  const own = new Set<string>();
  const listeners = new Set<() => void>();
  /** By `performance.now()`. */
  let knownUntil = 0;
  let client: pg.Client | undefined;
  let server: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  const set = (next: string) => {
    if (versions !== null && next === stored) return;
    stored = next;
    // No other connection has this number.
    versions = parseVersions(next, `${connections}.`);
    for (const listener of listeners) listener();
  };
  const schedule = (work: () => Promise<void>, ms: number) => {
    clearTimeout(timer);
    timer = setTimeout(work, ms);
  };
  const raise = (next: string, isOwn: boolean) => {
    if (!isOwn && own.delete(next)) return;
    raises += 1;
    // Until the first versions were read, each that is raised makes them be read again.
    if (versions === null || next === stored) return;
    if (parseVersions(next).number > versions.number) {
      if (isOwn) own.add(next);
      return set(next);
    }
    // They come late, or the database was restored.
    versions = null;
    schedule(probe, 0);
  };

  async function probe(): Promise<void> {
    const used = client;
    if (used === undefined) return;
    try {
      // The data of another server may be older, and a standby sends no notifications.
      await requirePrimary(used);
      for (let seen = -1; seen !== raises; ) {
        seen = raises;
        const start = performance.now();
        const { rows } = await used.query<{ version: string }>(postgresDialect.readVersions);
        if (client !== used || closed) return;
        knownUntil = start + PROBE_MS + PROBE_TIMEOUT_MS;
        if (seen === raises) set(rows[0]?.version ?? '');
      }
      outage.answer();
      schedule(probe, PROBE_MS);
    } catch (error) {
      if (client === used) lose(error as Error);
    }
  }

  /** Connects again later. */
  function leave(): void {
    client?.connection.stream.destroy();
    client = undefined;
    server = undefined;
    versions = null;
    own.clear();
    schedule(listen, RECONNECT_MS);
  }

  function lose(error: Error): void {
    if (closed) return;
    outage.fail(asLostConnection(error));
    leave();
  }

  async function listen(): Promise<void> {
    const next = createClient({ url, name: 'kith-version', queryTimeoutMs: PROBE_TIMEOUT_MS });
    client = next;
    connections += 1;
    const onLoss = (error: Error) => {
      if (client === next) lose(error);
    };
    next.on('error', onLoss);
    next.on('end', () => onLoss(new Error('Connection terminated')));
    next.on('notification', ({ payload }) => {
      if (client === next) raise(payload ?? '', false);
    });
    try {
      await next.connect();
      await firstQuery(next, sessionSettings(SETTINGS));
      await requirePrimary(next);
      // Listen before reading: a commit in between is then notified.
      await next.query(`listen ${VERSION_CHANNEL}`);
      const { rows } = await next.query<{ server: string }>(SELECT_SERVER);
      if (client === next) server = rows[0]?.server;
    } catch (error) {
      return onLoss(error as Error);
    }
    await probe();
  }

  return {
    /** Resolves when the first connection listens or has failed. */
    ready: listen(),
    current: (): Versions | null => (performance.now() < knownUntil ? versions : null),
    onChange(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Takes the versions of a commit of this process, so that it reads its own writes at once. */
    committed: (next: string) => raise(next, true),
    /** To be called with the server of each connection that is about to be used. */
    uses(other: string | undefined): void {
      if (server !== undefined && other !== server && !closed) leave();
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      const last = client;
      if (last === undefined) return;
      const late = () => new Error('the connection did not close in time');
      await withDeadline(last.end(), CLOSE_TIMEOUT_MS, late).catch(() => last.connection.stream.destroy());
    },
  };
}
