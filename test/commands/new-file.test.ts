import { createWriteStream } from 'node:fs';
import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { writeNewFile, writeNewFolder } from '../../src/commands/new-file.ts';
import { newPath } from '../support/new-path.ts';

const filesBeside = (path: string) => readdir(dirname(path));

describe('writeNewFile', () => {
  it('replaces the partial file of a command that was killed', async () => {
    const path = await newPath('out');
    await writeFile(`${path}.partial`, 'a long partial file');
    await writeNewFile(path, (partial) => writeFile(partial, 'new', { flag: 'a' }));
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await filesBeside(path)).toEqual(['out']);
  });

  it('does not write through a link in the place of the partial file', async () => {
    const [path, other] = [await newPath('out'), await newPath('other')];
    await writeFile(other, 'kept');
    await symlink(other, `${path}.partial`);
    await writeNewFile(path, (partial) => writeFile(partial, 'new', { flag: 'a' }));
    expect([await readFile(path, 'utf8'), await readFile(other, 'utf8')]).toEqual(['new', 'kept']);
    expect((await lstat(path)).isSymbolicLink()).toBe(false);
  });

  it('removes the partial file, and writes no other, after an error', async () => {
    const path = await newPath('out');
    const failed = new Error('failed');
    const writing = writeNewFile(path, async (partial) => {
      await writeFile(partial, 'half');
      throw failed;
    });
    await expect(writing).rejects.toBe(failed);
    expect(await filesBeside(path)).toEqual([]);
  });

  it('does not replace a file that was created meanwhile', async () => {
    const path = await newPath('out');
    const writing = writeNewFile(path, () => writeFile(path, 'kept'));
    await expect(writing).rejects.toMatchObject({ code: 'E_OUTPUT', message: `${path}: the file exists already` });
    expect(await readFile(path, 'utf8')).toBe('kept');
    expect(await filesBeside(path)).toEqual(['out']);
  });
});

describe('writeNewFolder', () => {
  it.runIf(process.platform === 'linux')('removes the files that it has written when the disk is full', async () => {
    const path = await newPath('out');
    const writing = writeNewFolder(
      path,
      async (partial) => {
        await writeFile(join(partial, 'one'), 'written');
        await pipeline(Readable.from(['rest']), createWriteStream('/dev/full'));
      },
      () => () => undefined,
    );
    await expect(writing).rejects.toMatchObject({
      code: 'E_OUTPUT',
      message: expect.stringContaining(`${path}: ENOSPC`),
    });
    expect(await filesBeside(path)).toEqual([]);
  });
});
