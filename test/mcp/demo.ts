import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { loadDemo } from '../../src/demo/load-demo.ts';
import { openStore } from '../../src/store/open-store.ts';
import { KITH } from '../commands/run-kith.ts';
import { type Service, type ServiceOptions, startService } from '../support/service.ts';

/** A service on a small demo graph, whose database other processes may open. */
export interface Demo extends Service {
  readonly databaseUrl: string;
  /** Starts another service on the same database. */
  serve(options: ServiceOptions): Promise<Service>;
}

export async function startDemo(): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-mcp-'));
  const path = join(folder, 'kith.db');
  const onError = (error: Error) => {
    throw error;
  };
  const store = await openStore({ engine: 'sqlite', path }, { onError });
  await loadDemo(store, { accounts: 1000, seed: 1, now: Math.floor(Date.now() / 1000) }, () => undefined);
  const service = await startService(store);
  return {
    ...service,
    databaseUrl: `sqlite:${path}`,
    serve: (options) => startService(store, options),
    async close() {
      await service.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** The official client, connected over HTTP. */
export function connectHttp(url: string, mode: VersionNegotiationMode): Promise<Client> {
  return connect(new StreamableHTTPClientTransport(new URL('/mcp', url)), mode);
}

/** The same, connected to the standard input and output of `kith mcp`. */
export function connectStdio(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  mode: VersionNegotiationMode,
): Promise<Client> {
  const command = { command: process.execPath, args: [KITH, 'mcp', ...args], env, stderr: 'ignore' as const };
  return connect(new StdioClientTransport(command), mode);
}

async function connect(transport: Parameters<Client['connect']>[0], mode: VersionNegotiationMode): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  return client;
}
