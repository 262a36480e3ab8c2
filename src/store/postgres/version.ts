import pg from 'pg';
import { VERSION_CHANNEL } from '../dialect.ts';
import type { DataVersion } from '../store.ts';

const RECONNECT_MS = 1_000;

export interface PostgresVersion extends DataVersion {
  /** Settles when the first connection listens, or has failed to. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Listens on a connection of its own. While that is down the version is unknown, so nothing cached is served. */
export function createPostgresVersion(options: { url: string; onError: (error: Error) => void }): PostgresVersion {
  let version: number | null = null;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(): Promise<void> {
    const next = new pg.Client({ connectionString: options.url, application_name: 'kith-version' });
    client = next;
    const lost = (error?: Error) => {
      if (client !== next || closed) return;
      client = undefined;
      version = null;
      if (error !== undefined) options.onError(error);
      retry = setTimeout(listen, RECONNECT_MS);
    };
    next.on('error', lost);
    next.on('end', () => lost());
    next.on('notification', ({ payload }) => {
      version = Number(payload);
    });
    try {
      await next.connect();
      // Listen first: a commit between the two statements is then heard as well as read.
      await next.query(`listen ${VERSION_CHANNEL}`);
      const { rows } = await next.query<{ value: number }>("select value from state where key = 'data_version'");
      version = Math.max(version ?? 0, rows[0]?.value ?? 0);
    } catch (error) {
      lost(error as Error);
    }
  }

  return {
    ready: listen(),
    current: () => version,
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}
