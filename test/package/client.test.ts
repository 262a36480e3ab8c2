import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT, run } from '../commands/run-kith.ts';
import { startDemoService } from '../docs/demo-service.ts';
import type { Service } from '../support/service.ts';
import { BARE_ENV, type InstalledPackage, installPackage, runModule } from './install-package.ts';

const MAX_COMPRESSED_BYTES = 3_000;

const NAME = '@kith-efp/client';
const TSC = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
const CALLS = readFileSync(join(PROJECT, 'test/typed-client/typed-calls.ts'), 'utf8');

describe('the tarball of the client, installed in an empty folder', () => {
  let installed: InstalledPackage;
  let service: Service;

  beforeAll(async () => {
    installed = await installPackage('./packages/client');
    service = await startDemoService();
  });
  afterAll(async () => {
    await service?.close();
    if (installed) await rm(dirname(installed.folder), { recursive: true });
  });

  it('is the only package', () => {
    expect(installed.packages).toEqual([NAME]);
  });

  it('has its compiled code, its types and its documentation only', () => {
    const compiled = ['client', 'events', 'generated/api', 'request', 'types'].flatMap((file) => [
      `dist/${file}.d.ts`,
      `dist/${file}.js`,
    ]);
    expect(installed.files.toSorted()).toEqual(['LICENSE', 'README.md', ...compiled, 'package.json'].toSorted());
  });

  it('looks up, iterates and streams in Node', async () => {
    const outcome = await runModule(
      installed,
      `
      import { createClient } from '${NAME}';
      const kith = createClient({ baseUrl: '${service.url}' });
      const { followers_count } = await kith.get('/users/{addressOrENS}/stats', { addressOrENS: 'ada.eth' });
      let entries = 0;
      for await (const _ of kith.entries('/users/{addressOrENS}/followers', { addressOrENS: 'ada.eth' })) entries += 1;
      let events = 0;
      for await (const _ of kith.events({ account: 'ada.eth', since: '0', until: 'now' })) events += 1;
      console.log(entries > 0, entries === followers_count, events > entries);
    `,
    );
    expect(outcome).toEqual({ code: 0, stdout: 'true true true\n', stderr: '' });
  });

  it.each([
    ['Node', 'nodenext'],
    ['a bundler', 'preserve'],
  ])(
    'has types that accept valid calls and reject others under tsc --strict, as %s resolves them',
    async (_, module) => {
      const file = join(installed.folder, 'calls.mts');
      await writeFile(file, CALLS.replace('../../packages/client/src/client.ts', NAME));
      const args = ['--strict', '--noEmit', '--target', 'es2022', '--module', module, file];
      const { code, stdout } = await run(process.execPath, [TSC, ...args], { cwd: installed.folder, env: BARE_ENV });
      expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    },
  );

  it('adds less than 3 KB of compressed code to a bundle for browsers, and nothing if it is not used', async () => {
    const page = `export { createClient, KithError } from '${NAME}';`;
    expect(gzipSync(await bundle(page), { level: 9 }).length).toBeLessThan(MAX_COMPRESSED_BYTES);
    expect((await bundle(`import '${NAME}';`)).trim()).toBe('');
  });

  async function bundle(code: string): Promise<string> {
    const input = join(installed.folder, 'page.js');
    await writeFile(input, code);
    const onLog = (_: string, { message }: { message: string }) => expect.fail(message);
    const build = await rolldown({ input, platform: 'browser', onLog });
    const { output } = await build.generate({ format: 'esm', minify: true });
    await build.close();
    expect(output[0].imports).toEqual([]);
    return output[0].code;
  }
});
