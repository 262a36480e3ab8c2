import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { concatHex, encodeFunctionData, type Hex } from 'viem';
import { afterAll, beforeAll, expect } from 'vitest';
import { startFakePoap } from '../badges/fake-poap.ts';
import { createTcpProxy } from '../http/tcp-proxy.ts';
import {
  accountMetadata,
  type LogBody,
  listMetadata,
  recordsAddress,
  storageLocation,
  transfer,
  word,
} from '../model/encode-log.ts';
import { MAINNET, ZERO_ADDRESS } from '../model/mainnet.ts';
import { ANN, BOB, CAT, follow as followOp, slotOf } from '../model/small-history.ts';
import { resolverAbi, setText, startEns } from '../names/ens/ens-node.ts';
import { startGateway } from '../names/ens/gateway-server.ts';
import { engines } from '../support/engines.ts';
import { type Answer, fetchAnswer } from '../support/service.ts';
import { linesOf } from './import-files.ts';
import { runKith } from './run-here.ts';
import { follow, type Outcome, PROJECT } from './run-kith.ts';

type Environment = Readonly<Record<string, string>>;

/** Secrets in a password, a query parameter, a path and a header. */
export const SECRETS = {
  password: 'hush-password-1f7c',
  parameter: 'hush-parameter-2e8b',
  path: 'hush-path-3d9a',
  key: 'hush-key-4c0f',
  authorization: Buffer.from('operator:hush-password-1f7c').toString('base64'),
};

export const EVENTS = ['177709', '178064'];

/** A deployment on Ethereum only, so that one node serves lists and names. */
const CONTRACTS = [
  { chainId: 1, role: 'list-registry', address: MAINNET.registry.address },
  { chainId: 1, role: 'account-metadata', address: MAINNET.accountMetadata.address },
  { chainId: 1, role: 'list-records', address: recordsAddress(8453) },
];

type Services = Awaited<ReturnType<typeof startServices>>;

/**
 * Local fakes of every remote service. Ann (list 0), Bob (list 1) and Cat (list 2) follow each other. Ann and Bob have
 * primary names; Cat claims the name of Ann.
 */
async function startServices() {
  const closers: Closers = [];
  const stop = async () => {
    for (const close of closers.splice(0).reverse()) await close();
  };
  try {
    const ens = await startEns();
    closers.push(() => ens.node.stop());
    const { node } = ens;
    const setRecord = (name: string, key: string, value: string) =>
      ens.send(ens.publicResolver, setText(name, key, value));
    await node.install(CONTRACTS.map(({ address }) => address));
    await node.mine([...listOf(ANN, 0n, [BOB, CAT]), ...listOf(BOB, 1n, [ANN, CAT]), ...listOf(CAT, 2n, [ANN, BOB])]);
    await ens.adopt('ann.eth', ANN);
    await setRecord('ann.eth', 'avatar', 'https://ann.example/a.png');
    await ens.adopt('bob.eth', BOB);
    await ens.claim(CAT, 'ann.eth');

    const gateway = await startGateway();
    closers.push(gateway.stop);
    await ens.register('offchain.eth', ens.offchainResolver);
    const urls = ['127.0.0.1', 'localhost', '[::1]'].map(
      (host) => `http://${host}:${new URL(gateway.origin).port}/${SECRETS.path}/{sender}/{data}.json`,
    );
    const setUrls = encodeFunctionData({ abi: resolverAbi, functionName: 'setUrls', args: [urls] });
    await ens.send(ens.offchainResolver, setUrls);

    const nodeProxy = await createTcpProxy(node.url);
    closers.push(nodeProxy.disconnect);
    const poap = await startFakePoap();
    closers.push(poap.stop);

    const folder = await mkdtemp(join(tmpdir(), 'kith-live-'));
    closers.push(() => rm(folder, { recursive: true }));
    const file = join(folder, 'deployment.json');
    await writeFile(file, JSON.stringify({ contracts: CONTRACTS }));
    const deployment = { DEPLOYMENT: file, LOG_LEVEL: 'trace' };
    // A generous timeout for responses that do arrive.
    const patient = { SOURCE_DEADLINE_MS: '5000' };
    return {
      ens,
      poap,
      /** The gateway of the names below offchain.eth. */
      gateway,
      /** An environment with the deployment and no sources. */
      deployment,
      /** An environment with the node and POAP, and secrets in every URL. */
      live: { ...deployment, ...patient, RPC_URL_1: withSecrets(nodeProxy.url), ...poapEnv(poap.url) },
      /** Sets a text record on the chain. */
      setRecord,
      /** Stops the node while `work` runs. */
      async withoutNode(work: () => Promise<void>) {
        await nodeProxy.disconnect();
        try {
          await work();
        } finally {
          await nodeProxy.reconnect();
        }
      },
      /** Imports the logs of the node into a database. */
      async importLogs(databaseUrl: string) {
        const env = { ...deployment, DATABASE_URL: databaseUrl };
        const { code, stderr } = await runKith(['import', 'logs', '-'], { env, stdin: linesOf(await node.logs()) });
        if (code !== 0) throw new Error(stderr);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Adds a password and a key to a URL. */
export function withSecrets(text: string): string {
  const url = new URL(text);
  url.username = 'operator';
  url.password = SECRETS.password;
  url.search = `key=${SECRETS.parameter}`;
  return url.href;
}

export const poapEnv = (url: string) => ({
  POAP_API_URL: `${url}/${SECRETS.path}`,
  POAP_API_KEY: SECRETS.key,
  BADGE_EVENTS: EVENTS.join(','),
});

/** The logs of a primary list and its records. */
export function listOf(owner: Hex, number: bigint, followed: readonly Hex[]): LogBody[] {
  // The chain selects the contract only; the node has a single chain.
  const slot = slotOf(number + 1n, 8453);
  const location = concatHex(['0x0101', word(1n), recordsAddress(8453), word(slot.slot)]);
  return [
    transfer(ZERO_ADDRESS, owner, number),
    storageLocation(number, location),
    listMetadata(slot, 'user', owner),
    accountMetadata(owner, 'primary-list', word(number)),
    ...followed.map((account) => followOp(slot, account)),
  ];
}

/** A running server process. */
export interface Kith {
  /** GET of a path below /api/v1. */
  get(path: string): Promise<Answer>;
  /** GET of a path outside of the API. */
  getRoot(path: string): Promise<Answer>;
  /** Its output and all responses so far. */
  shown(): string;
  untilSaid(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends SIGTERM and waits for the exit. */
  end(): Promise<Outcome>;
}

type Closers = (() => Promise<unknown>)[];

/** Starts a compiled `kith` that may outlive the test. */
async function launch(command: 'start' | 'serve', env: Environment, closers: Closers): Promise<Kith> {
  const args = [join(PROJECT, 'bin/kith.js'), command];
  const { child, outcome, untilSaid, stdout } = follow(process.execPath, args, {
    env: { PORT: '0', SHUTDOWN_DELAY_S: '0', ...env },
  });
  const exit = once(child, 'exit');
  closers.push(() => {
    child.kill('SIGKILL');
    // Not the outcome: an indexer that does not exit keeps the output streams open.
    return exit;
  });
  let seen = '';
  const see = (text: string) => {
    seen += text;
  };
  child.stderr.on('data', see);
  const [, url = ''] = await untilSaid(/(?:Kith listens on |Server listening at )(http:\/\/[\w.:]*\w)/);
  const getRoot = async (path: string) => {
    const answer = await fetchAnswer(`${url}${path}`);
    see(`${JSON.stringify([...answer.headers])}\n${answer.text}\n`);
    return answer;
  };
  return {
    get: (path) => getRoot(`/api/v1${path}`),
    getRoot,
    shown: () => stdout() + seen,
    untilSaid,
    end() {
      child.kill('SIGTERM');
      return outcome;
    },
  };
}

/** Shared by the tests of a file, and closed after them. */
export function useLiveSources() {
  const closers: Closers = [];
  let services: Services | undefined;
  beforeAll(async () => {
    services = await startServices();
    closers.push(services.stop);
  });
  afterAll(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  return {
    get services() {
      if (services === undefined) throw new Error('the services are not started before the tests begin');
      return services;
    },
    start: (command: 'start' | 'serve', env: Environment) => launch(command, env, closers),
    /** The URL of an empty database. */
    async createDatabase(name: 'sqlite' | 'postgres') {
      const engine = engines.find((known) => known.name === name);
      if (engine === undefined) throw new Error(`no engine ${name}`);
      const database = await engine.create();
      closers.push(() => database.drop());
      return database.url;
    },
    /** Closed after everything that is started later. */
    keep: (close: () => Promise<unknown>) => closers.push(close),
  };
}

export function expectUnavailable({ status, headers, json }: Answer): void {
  expect([status, json.code]).toEqual([503, 'unavailable']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

export function expectNoSecrets(shown: string): void {
  for (const secret of Object.values(SECRETS)) expect(shown).not.toContain(secret);
}
