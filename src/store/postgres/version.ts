import pg from 'pg';
import { VERSION_CHANNEL } from '../dialect.ts';
import type { DataVersion } from '../store.ts';

const RECONNECT_MS = 1_000;

export interface PostgresVersion extends DataVersion {
  /** Resolves when the first connection listens or has failed. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/** Listens for notifications on a dedicated connection. While it is down, the version is unknown. */
export function createPostgresVersion(options: { url: string; onError: (error: Error) => void }): PostgresVersion {
  let version: number | null = null;
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  async function listen(): Promise<void> {
    const next = new pg.Client({ connectionString: options.url, application_name: 'kith-version' });
    client = next;
    const reconnect = (error?: Error) => {
      if (client !== next || closed) return;
      client = undefined;
      version = null;
      if (error !== undefined) options.onError(error);
      retry = setTimeout(listen, RECONNECT_MS);
    };
    next.on('error', reconnect);
    next.on('end', () => reconnect());
    next.on('notification', ({ payload }) => {
      version = Number(payload);
    });
    try {
      await next.connect();
      // Listen before reading: a commit in between is then notified.
      await next.query(`listen ${VERSION_CHANNEL}`);
      const { rows } = await next.query<{ value: number }>("select value from state where key = 'data_version'");
      version = Math.max(version ?? 0, rows[0]?.value ?? 0);
    } catch (error) {
      reconnect(error as Error);
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
