import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliDecompressSync } from 'node:zlib';
import Fastify from 'fastify';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { prepareLong } from '../../src/http/request/pipeline.ts';
import { createSpools } from '../../src/http/request/spools.ts';
import { requestUnread } from './long-list.ts';

const MIB = 2 ** 20;

async function* mebibytes(count: number) {
  for (let i = 0; i < count; i++) yield String(i).repeat(MIB).slice(0, MIB);
}

describe('a spool', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kith-spools-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const create = (mebibytes: number) => createSpools({ folder, maxBytes: mebibytes * MIB });

  it('keeps a body in a file without a name until it has been read', async () => {
    const spools = create(8);
    const spooled = await spools.write('a', mebibytes(2), null);
    expect([spooled.bytes, spools.bytes(), await readdir(folder)]).toEqual([2 * MIB, 2 * MIB, []]);
    expect(await text(spooled.open())).toBe('0'.repeat(MIB) + '1'.repeat(MIB));
    await expect.poll(spools.bytes).toBe(0);
  });

  it('is compressed', async () => {
    const spools = create(8);
    const spooled = await spools.write('a', mebibytes(3), 'br');
    expect(spooled.bytes).toBeLessThan(MIB / 10);
    const chunks = await spooled.open().toArray();
    expect(brotliDecompressSync(Buffer.concat(chunks)).length).toBe(3 * MIB);
  });

  it('is free again when a body is not read to its end', async () => {
    const spools = create(8);
    (await spools.write('a', mebibytes(2), null)).open().destroy();
    await expect.poll(spools.bytes).toBe(0);
  });

  it.each([null, 'gzip'] as const)('frees its space if its source fails (%s)', async (encoding) => {
    const spools = create(8);
    async function* failing() {
      yield* mebibytes(1);
      throw new Error('the database failed');
    }
    await expect(spools.write('a', failing(), encoding)).rejects.toThrow('the database failed');
    expect(spools.bytes()).toBe(0);
  });

  it('has a quarter of the space for each client, and no more than all of it for all', async () => {
    const spools = create(8);
    await expect(spools.write('a', mebibytes(3), null)).rejects.toThrow('no room');
    expect(spools.bytes()).toBe(0);
    const kept = await Promise.all(['a', 'b', 'c', 'd'].map((client) => spools.write(client, mebibytes(2), null)));
    await expect(spools.write('e', mebibytes(1), null)).rejects.toThrow('no room');
    kept[0]?.open().destroy();
    await expect.poll(spools.bytes).toBe(6 * MIB);
    const again = await spools.write('e', mebibytes(1), null);
    for (const spooled of [...kept.slice(1), again]) spooled.open().destroy();
    await expect.poll(spools.bytes).toBe(0);
  });

  it('is free again when a client takes longer than two minutes', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const spools = create(100);
    const app = Fastify();
    onTestFinished(() => app.close());
    app.get('/', async (_request, reply) => {
      const spooled = await spools.write('a', mebibytes(20), null);
      return reply.send(prepareLong(reply, { encoding: null, next: null, spooled }));
    });
    await requestUnread(await app.listen({ host: '127.0.0.1', port: 0 }), '/');
    vi.advanceTimersByTime(119_000);
    expect(spools.bytes()).toBe(20 * MIB);
    vi.advanceTimersByTime(1_000);
    await expect.poll(spools.bytes).toBe(0);
  });

  it('names its folder if that does not exist', async () => {
    const spools = createSpools({ folder: join(folder, 'missing'), maxBytes: MIB });
    await expect(spools.write('a', mebibytes(1), null)).rejects.toMatchObject({
      code: 'E_TEMPORARY_SPACE',
      message: expect.stringContaining(join(folder, 'missing')),
    });
  });
});
