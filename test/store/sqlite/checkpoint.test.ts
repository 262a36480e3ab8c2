import { statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCheckpoint, openWriterDatabase } from '../../../src/store/sqlite/writer.ts';

const PAGE = 4096;
const LIMITS = { start: 10, block: 100, waitMs: 1 };

describe('createCheckpoint', () => {
  let folder: string;
  let writer: Database.Database;
  let reader: Database.Database;
  let checkpoint: () => void;
  const path = () => join(folder, 'kith.db');
  const walPages = () => statSync(`${path()}-wal`).size / PAGE;
  /** Commits about five pages. */
  const commit = () => writer.prepare('insert into rows values (zeroblob(?))').run(4 * PAGE);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kith-wal-'));
    writer = openWriterDatabase(path());
    writer.exec('create table rows (value blob)');
    reader = new Database(path(), { readonly: true });
    checkpoint = createCheckpoint(writer, LIMITS);
  });
  afterEach(async () => {
    reader.close();
    writer.close();
    await rm(folder, { recursive: true });
  });

  it('is not run by commits, which let the WAL grow', () => {
    for (let i = 0; i < 1_000; i++) commit();
    expect(walPages()).toBeGreaterThan(4_000);
  });

  it('keeps the WAL small when it is called after every commit', () => {
    for (let i = 0; i < 500; i++) {
      commit();
      checkpoint();
    }
    expect(walPages()).toBeLessThan(4 * LIMITS.start);
  });

  it('throws whenever the WAL has doubled because of a reader, and resets the WAL once the reader is done', () => {
    reader.exec('begin');
    reader.prepare('select count(*) from rows').get();
    const sizes: number[] = [];
    for (let i = 0; i < 200; i++) {
      commit();
      try {
        checkpoint();
      } catch (error) {
        expect(error).toMatchObject({ message: expect.stringContaining('has grown') });
        sizes.push(Math.floor(walPages()));
      }
    }
    expect(sizes.length).toBe(3);
    expect(sizes[0]).toBeGreaterThanOrEqual(2 * LIMITS.block);
    reader.exec('commit');
    for (let i = 0; i < 5; i++) {
      commit();
      checkpoint();
    }
    const [{ log }] = writer.pragma('wal_checkpoint(noop)') as [{ log: number }];
    expect(log).toBeLessThan(4 * LIMITS.start);
    expect(writer.pragma('busy_timeout', { simple: true })).toBe(60_000);
  });
});
