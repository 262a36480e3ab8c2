import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { follow, PROJECT } from '../commands/run-kith.ts';

/** Starts a program of docs/recipes, which is killed after the test. */
export function startRecipe(name: 'bot' | 'mirror' | 'webhook', env: Readonly<Record<string, string>>) {
  const running = follow(process.execPath, [join(PROJECT, `docs/recipes/${name}.js`)], { env });
  const kill = async () => {
    running.child.kill('SIGKILL');
    await running.outcome;
  };
  onTestFinished(kill);
  return { ...running, kill };
}

/** A folder for the files of a recipe, removed after the test. */
export async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-recipe-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

export interface Received {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A server that receives requests; closed after the test. */
export async function receive(answer: (request: Received, response: http.ServerResponse) => void): Promise<string> {
  const server = http.createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    answer({ path: request.url ?? '', headers: request.headers, body }, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
