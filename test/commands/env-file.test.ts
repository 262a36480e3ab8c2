import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { runKith } from './run-here.ts';
import { failureIn, follow, KITH, PROJECT, run, spawnKith } from './run-kith.ts';

/** A working directory with the given `.env`. */
function folderWith(envFile: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'kith-env-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, '.env'), envFile);
  return folder;
}

const runIn = (cwd: string, args: readonly string[], env: Record<string, string> = {}) =>
  run(process.execPath, [KITH, ...args], { cwd, env });

describe('.env in the working directory', () => {
  it('has settings', async () => {
    const cwd = folderWith('DATABASE_URL=sqlite:here.db\n');
    const { code, stderr } = await runIn(cwd, ['demo', '--accounts', '50']);
    expect(code, stderr).toBe(0);
    expect(readFileSync(join(cwd, 'here.db')).subarray(0, 6).toString()).toBe('SQLite');
  });

  it('does not replace a variable that is set', async () => {
    const { code, stderr } = await runIn(folderWith('PORT=1\n'), ['status'], { PORT: 'set' });
    expect({ code, failure: failureIn(stderr) }).toEqual({ code: 1, failure: expect.stringMatching(/^PORT: .*"set"/) });
  });

  it('ends the command if it is malformed', async () => {
    const cwd = folderWith('PORT\n');
    const { code, stderr } = await runIn(cwd, ['status']);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toBe(`${join(cwd, '.env')}: line 1: expected NAME=value [E_CONFIG]`);
  });

  it('ends the command if a variable is no setting, and names the nearest one', async () => {
    const cwd = folderWith('RPC_URL_8453=http://127.0.0.1:1\nLOG_LEVL=debug\n');
    const { code, stderr } = await runIn(cwd, ['status']);
    expect(code).toBe(1);
    expect(failureIn(stderr)).toBe(
      `${join(cwd, '.env')}: LOG_LEVL is not a setting of Kith; the nearest one is LOG_LEVEL [E_CONFIG]`,
    );
  });

  it('does not matter to kith --help and kith --version', async () => {
    const cwd = folderWith('PORT\n');
    for (const option of ['--help', '--version']) expect(await runIn(cwd, [option])).toMatchObject({ code: 0 });
  });

  it('configures the processes that share the port', async () => {
    const cwd = folderWith('DATABASE_URL=sqlite:shared.db\nWORKERS=2\nPORT=0\n');
    const kith = follow(process.execPath, [KITH, 'serve'], { cwd, env: { SHUTDOWN_DELAY_S: '0' } });
    onTestFinished(async () => {
      kith.child.kill('SIGTERM');
      await kith.outcome;
    });
    await kith.untilSaid(/Server listening/);
    expect(readdirSync(cwd)).toContain('shared.db');
    expect(readdirSync(cwd)).not.toContain('data');
  });
});

describe('a variable of the environment', () => {
  it('is logged if it has nearly the name of a setting', async () => {
    const env = { DATABASE_URL: 'sqlite:/nowhere/kith.db', LOG_LEVL: 'debug' };
    const { stderr } = await runKith(['status'], { env });
    const [line = ''] = stderr.split('\n');
    expect(JSON.parse(line)).toMatchObject({ level: 40, variable: 'LOG_LEVL', setting: 'LOG_LEVEL' });
  });
});

describe('kith --version', () => {
  it.each(['--version', '-v'])('prints the version of the package with %s', async (option) => {
    const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
    expect(await spawnKith([option])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  });
});

describe('a command that keeps running', () => {
  it('logs the absolute path of a SQLite database', async () => {
    const cwd = folderWith('DATABASE_URL=sqlite:some/kith.db\nPORT=0\n');
    const kith = follow(process.execPath, [KITH, 'serve'], { cwd, env: { SHUTDOWN_DELAY_S: '0' } });
    onTestFinished(async () => {
      kith.child.kill('SIGTERM');
      await kith.outcome;
    });
    const [, path] = await kith.untilSaid(/"msg":"using the database ([^"]+)"/);
    expect(path).toBe(join(cwd, 'some/kith.db'));
  });

  it('logs the host of a PostgreSQL server, and no user, password or database', async () => {
    const { stderr } = await runKith(['serve'], { env: { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d' } });
    expect(stderr).toContain('"msg":"using the database postgres://127.0.0.1:1"');
    expect(stderr).not.toContain('secret');
  });
});
