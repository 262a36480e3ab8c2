import { mkdtemp, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openStore } from '../../../src/store/open-store.ts';

it('reads the sizes of a database and of its write-ahead log behind a symbolic link', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-link-'));
  const [link, target] = [join(folder, 'link.db'), join(folder, 'target.db')];
  await symlink(target, link);
  const onError = (error: Error) => {
    throw error;
  };
  const store = await openStore({ engine: 'sqlite', path: link }, { onError });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true });
  });
  const [database, wal] = await Promise.all([stat(target), stat(`${target}-wal`)]);
  expect(await store.readSize()).toEqual({ database: database.size, wal: wal.size });
});
