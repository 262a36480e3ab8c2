import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createHeader, type SnapshotChain } from '../../../src/import/snapshot-header.ts';
import { deployments } from '../../../src/protocol/deployments.ts';
import { type Kith, spawnKith, startKith } from '../../harness/kith.ts';
import { request } from '../../harness/request.ts';
import type { Conditions, HostileCase, Setting } from './case.ts';
import { ALTERED } from './service.ts';

const hash = `0x${'1'.repeat(64)}` as const;
const chainAt = (number: number): SnapshotChain => ({
  chainId: 8453,
  cursor: { number, hash, time: 1_770_000_000, startBlock: 0, final: { number, hash } },
});

/** A header, and lines after it. */
function snapshotOf(chains: readonly SnapshotChain[], blankBytes = 0): Buffer {
  const sha256 = createHash('sha256').digest('hex');
  const header = `${JSON.stringify(createHeader(deployments.mainnet, { chains, logs: 0, sha256 }))}\n`;
  const part = gzipSync(Buffer.alloc(BLANK_BYTES, '\n'));
  return Buffer.concat([gzipSync(header), ...Array.from({ length: blankBytes / BLANK_BYTES }, () => part)]);
}
const BLANK_BYTES = 10_000_000;

async function listen(server: Server, { defer }: Setting): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

interface Source {
  readonly url: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly outcome?: Conditions;
}

/** `kith bootstrap` of a URL, beside a server on the same empty database. */
function snapshotCase(
  name: string,
  createSource: (setting: Setting, beforeAnswer: () => Promise<void>) => Promise<Source>,
): HostileCase {
  return {
    name: `snapshot: ${name}`,
    async prepare(setting) {
      const [asked, measured] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const { url, env, outcome } = await createSource(setting, () => {
        asked.resolve();
        return measured.promise;
      });
      const database = { DATABASE_URL: `sqlite:${join(setting.folder, 'kith.db')}` };
      const server = await startKith('serve', database);
      setting.defer(server.stop);
      let command: Kith | undefined;
      return {
        pid: server.pid,
        ports: [server.port],
        async run(watch) {
          command = spawnKith(['bootstrap', url], { ...database, ...env });
          setting.defer(command.kill);
          // Loading its modules takes memory too, which is no growth.
          await Promise.race([asked.promise, command.exit()]);
          await watch.add(command.pid);
          measured.resolve();
          await command.exit();
        },
        others: { 'other requests are answered': async () => (await request(server.port, '/status')).status === 200 },
        outcome: {
          'the command ends without an internal error': () =>
            command?.isAlive() === false && !command.output().includes('E_INTERNAL'),
          'no block without logs is stored': async () =>
            (await request(server.port, '/status')).body.includes('"chains":[]'),
          ...outcome,
        },
      };
    },
  };
}

const contentCase = (name: string, content: () => Buffer) =>
  snapshotCase(name, async (setting, beforeAnswer) => {
    const body = content();
    const port = await listen(
      createHttpServer(async (_incoming, response) => {
        await beforeAnswer();
        response.end(body);
      }),
      setting,
    );
    return { url: `http://127.0.0.1:${port}/snapshot` };
  });

const HOST = 'snapshots.test';

const redirect = snapshotCase(
  'a redirect from another host to a service of this machine',
  async (setting, beforeAnswer) => {
    let isReached = false;
    const internal = await listen(
      createHttpServer((_incoming, response) => {
        isReached = true;
        response.end();
      }),
      setting,
    );
    const [key, cert] = [join(setting.folder, 'key.pem'), join(setting.folder, 'cert.pem')];
    const subject = ['-subj', `/CN=${HOST}`, '-addext', `subjectAltName=DNS:${HOST}`];
    const files = ['-keyout', key, '-out', cert];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...subject], {
      stdio: 'ignore',
    });
    const secrets = { key: readFileSync(key), cert: readFileSync(cert) };
    const port = await listen(
      createHttpsServer(secrets, async (_incoming, response) => {
        await beforeAnswer();
        response.writeHead(302, { location: `http://127.0.0.1:${internal}/` }).end();
      }),
      setting,
    );
    return {
      url: `https://${HOST}:${port}/snapshot`,
      env: { ...ALTERED, DRILL_HOST: HOST, NODE_EXTRA_CA_CERTS: cert },
      outcome: { 'the service is not asked': () => !isReached },
    };
  },
);

export const snapshotCases: readonly HostileCase[] = [
  contentCase('a chain twice', () => snapshotOf([chainAt(100), chainAt(200)])),
  contentCase('a last block of 2^53 - 1, without nodes', () => snapshotOf([chainAt(Number.MAX_SAFE_INTEGER)])),
  contentCase('500 MB of blank lines in 500 KB of gzip', () => snapshotOf([chainAt(100)], 500_000_000)),
  redirect,
];
