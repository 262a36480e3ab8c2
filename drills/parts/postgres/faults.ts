import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { PostgresServer } from '../../../test/support/postgres-server.ts';
import { sleep } from '../../harness/numbers.ts';
import type { TcpProxy } from '../../harness/tcp-proxy.ts';

interface Fault {
  readonly name: string;
  /** Causes it, waits, and removes it. */
  run(): Promise<void>;
  /** The most backends at a time; null if they were not counted. */
  readonly mostBackends: (() => number) | null;
}

interface Setup {
  readonly server: PostgresServer;
  readonly proxy: TcpProxy;
  /** How long the longer faults last. */
  readonly holdMs: number;
}

const OTHERS = "from pg_stat_activity where pid <> pg_backend_pid() and backend_type = 'client backend'";

export function createFaults({ server, proxy, holdMs }: Setup): readonly Fault[] {
  const open = async () => {
    const client = new pg.Client({ connectionString: server.url });
    // The server is killed while clients are connected.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  const withClient = async (work: (client: pg.Client) => Promise<unknown>) => {
    const client = await open();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  };
  const terminate = (client: pg.Client) => client.query(`select pg_terminate_backend(pid) ${OTHERS}`);
  let most = 0;

  return [
    {
      name: 'server killed and restarted after 3 s',
      async run() {
        await withClient(kill);
        await sleep(3_000);
        await restart(server);
      },
      mostBackends: null,
    },
    { name: 'all backends terminated', run: () => withClient(terminate), mostBackends: null },
    {
      name: `tables locked for ${holdMs / 1000} s`,
      run: () =>
        withClient((client) =>
          withClient(async (watching) => {
            await client.query('begin');
            await client.query('lock table accounts in access exclusive mode');
            const end = performance.now() + holdMs;
            while (performance.now() < end) {
              const { rows } = await watching.query(`select count(*)::int as count ${OTHERS}`);
              most = Math.max(most, rows[0].count);
              await sleep(200);
            }
            await client.query('rollback');
          }),
        ),
      mostBackends: () => most,
    },
    {
      name: 'connection limit reached for 5 s',
      async run() {
        const clients: pg.Client[] = [await open()];
        const fill = async () => {
          for (;;) {
            try {
              clients.push(await open());
            } catch {
              return;
            }
          }
        };
        await fill();
        const own = clients.length;
        // Those of Kith are the oldest; it has to reconnect, and competes for them.
        await clients[0]?.query(
          `select pg_terminate_backend(pid) from (select pid ${OTHERS} order by backend_start limit 30 - ${own}) as oldest`,
        );
        const end = performance.now() + 5_000;
        while (performance.now() < end) {
          await fill();
          await sleep(50);
        }
        await Promise.all(clients.map((client) => client.end()));
      },
      mostBackends: null,
    },
    {
      name: `network stalled for ${holdMs / 1000} s`,
      async run() {
        proxy.stall();
        await sleep(holdMs);
        proxy.resume();
      },
      mostBackends: null,
    },
    {
      name: 'all connections lost without a close',
      async run() {
        proxy.dropCurrent();
      },
      mostBackends: null,
    },
  ];
}

/** Sends SIGKILL to the server process. Its backends end when they notice. */
async function kill(client: pg.Client): Promise<void> {
  const { rows } = await client.query("select current_setting('data_directory') as folder");
  const [pid] = readFileSync(join(rows[0].folder, 'postmaster.pid'), 'utf8').split('\n');
  process.kill(Number(pid), 'SIGKILL');
}

const RESTART_ATTEMPTS = 50;

/** Backends of the killed server hold its shared memory for a moment. */
async function restart(server: PostgresServer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await server.restart();
    } catch (error) {
      if (attempt === RESTART_ATTEMPTS) throw error;
      await sleep(200);
    }
  }
}
