import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import { openStore } from '../../src/store/open-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A database of a test's own. */
export interface TestDatabase {
  /** As DATABASE_URL would name it. */
  readonly url: string;
  open(): Promise<Store>;
  drop(): Promise<void>;
}

export interface Engine {
  readonly name: Store['engine'];
  create(): Promise<TestDatabase>;
}

/** A connection that is cut because its database is dropped is no surprise; anything else is. */
function fail(error: Error): void {
  if ((error as { code?: string }).code !== '57P01') throw error;
}

const sqlite: Engine = {
  name: 'sqlite',
  async create() {
    const folder = await mkdtemp(join(tmpdir(), 'kith-test-'));
    const path = join(folder, 'kith.db');
    return {
      url: `sqlite:${path}`,
      open: () => openStore({ engine: 'sqlite', path }, { onError: fail }),
      drop: () => rm(folder, { recursive: true }),
    };
  },
};

const postgres: Engine = {
  name: 'postgres',
  async create() {
    const server = inject('postgresUrl');
    const name = `kith_${randomUUID().replaceAll('-', '')}`;
    await onServer(server, `create database ${name}`);
    const url = new URL(server);
    url.pathname = `/${name}`;
    return {
      url: url.href,
      open: () => openStore({ engine: 'postgres', url: url.href, poolSize: 4 }, { onError: fail }),
      drop: () => onServer(server, `drop database ${name} with (force)`),
    };
  },
};

export const engines: readonly Engine[] = [sqlite, postgres];

async function onServer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
