import { isDeepStrictEqual } from 'node:util';
import { CLONE } from '../paths.ts';
import { SERVERS, type Target } from './measure.ts';
import { type LoadGenerator, type Server, startBare, startKith, startServer } from './processes.ts';

const HANDLER = new URL('../by-hand/handler-process.ts', import.meta.url);

/** Starts equal servers, and stops all of them at the end. */
export function createServers(count = SERVERS) {
  const all: Server[] = [];
  const startEach = async (start: () => Promise<Server>) => {
    const started: Server[] = [];
    while (started.length < count) {
      const server = await start();
      all.push(server);
      started.push(server);
    }
    return started;
  };
  return {
    kith: (env: Readonly<Record<string, string>>, clone = CLONE) => startEach(() => startKith(clone, env)),
    byHand: (location: string, poolSize = 0) => startEach(() => startServer(HANDLER, [location, String(poolSize)])),
    /** Bare servers that send as many bytes. */
    bare: (bytes: number) => startEach(() => startBare(bytes)),
    async stop() {
      for (const server of all) await server.stop();
    },
  };
}

/** Two servers may be compared only if they give the same answers. */
export async function expectSameAnswers(ours: Target, base: Target, count = 20): Promise<void> {
  const [one, other] = [ours.servers[0], base.servers[0]];
  for (const path of ours.paths.slice(0, count)) {
    if (!isDeepStrictEqual(await readJson(one, path), await readJson(other, path))) {
      throw new Error(`the hand-written handler gives another answer than Kith: ${path}`);
    }
  }
}

async function readJson(server: Server | undefined, path: string): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${server?.port}${path}`);
  return response.json();
}

/** The mean size of the bodies. */
export async function meanBytes(load: LoadGenerator, { servers: [server], paths }: Target): Promise<number> {
  if (server === undefined) throw new Error('there is no server');
  const session = await load.open(server, 1);
  const { bytes } = await (await session.prepare(paths))({ requests: paths.length });
  await session.close();
  return bytes;
}
