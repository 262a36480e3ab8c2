import { describe, expect, it } from 'vitest';
import { aliasesByVariable, SETTINGS } from '../../src/config/settings.ts';
import { runKith } from './run-here.ts';
import { failureIn, PROJECT, run, spawnKith } from './run-kith.ts';

const COMMANDS = ['start', 'serve', 'index', 'import', 'export', 'backup', 'demo', 'status', 'rebuild'];
const PASSWORD = 'open-sesame';

describe('kith --help', () => {
  it.each(['--help', '-h', 'help'])('lists the commands with %s', async (word) => {
    const { code, stdout, stderr } = await runKith([word]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const listed = COMMANDS.filter((name) => new RegExp(`^ {2}${name} +[A-Z]`, 'm').test(stdout));
    expect(listed).toEqual(COMMANDS);
  });

  it('lists every setting with its default', async () => {
    const { stdout } = await runKith(['--help']);
    const missing = SETTINGS.filter(
      ({ name, fallback }) => !new RegExp(`^ {2}${name} .*${fallback && `\\(${fallback}\\)`}$`, 'm').test(stdout),
    );
    expect(missing).toEqual([]);
  });

  it.each([...aliasesByVariable()])(
    'lists the names that the services of EFP have for %s',
    async (variable, aliases) => {
      const { stdout } = await runKith(['--help']);
      expect(stdout).toMatch(new RegExp(`^ {2}${variable} +${aliases.join(', ')}$`, 'm'));
    },
  );

  it.each(COMMANDS)('describes %s', async (name) => {
    const { code, stdout, stderr } = await runKith([name, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^kith ${name}: [A-Z].{10,}\n\nUsage: kith ${name}\\b.*\n\n[A-Z][^]{40,}`));
  });

  it.each([
    ['demo', '--accounts'],
    ['demo', '--seed'],
    ['demo', '--now'],
  ])('shows in the usage of %s the option %s', async (name, option) => {
    const { stdout } = await runKith([name, '--help']);
    expect(stdout).toMatch(new RegExp(`^Usage: .*\\${option}\\b`, 'm'));
  });

  it('describes a command even if a setting is invalid', async () => {
    expect(await runKith(['serve', '--help'], { env: { PORT: 'wrong' } })).toMatchObject({ code: 0 });
  });

  it('works through npx in the project folder', async () => {
    // Offline, so that npx never runs a package of the same name; it needs PATH to find node.
    const { HOME = '', PATH = '' } = process.env;
    const env = { HOME, PATH, npm_config_offline: 'true' };
    const { code, stdout, stderr } = await run('npx', ['kith', '--help'], { env, cwd: PROJECT });
    expect(code, stderr).toBe(0);
    expect(stdout).toContain('Usage: kith [COMMAND]');
  });
});

describe('kith as a process', () => {
  it.each([
    [0, ['--help'], { stdout: /^kith: /, stderr: /^$/ }],
    [1, ['status'], { stdout: /^$/, stderr: /^\{.*"code":"E_CONFIG","msg":"PORT: .*\}\n$/ }],
    [2, ['frobnicate'], { stdout: /^$/, stderr: /^\{.*"code":"E_USAGE","msg":"unknown command .*\}\n$/ }],
  ])('exits with %i and separates stdout from stderr: %j', async (code, args, { stdout, stderr }) => {
    const output = { stdout: expect.stringMatching(stdout), stderr: expect.stringMatching(stderr) };
    expect(await spawnKith(args, { env: { PORT: 'http' } })).toEqual({ code, ...output });
  });
});

describe('an invalid command line', () => {
  it.each([
    ['an unknown command', ['frobnicate'], /unknown command "frobnicate"; see kith --help/],
    ['a command that is only a property of objects', ['constructor'], /unknown command "constructor"/],
    ['an unknown option before any command', ['--frobnicate'], /unknown .*"--frobnicate"/],
    ['an unknown option', ['status', '--frobnicate'], /option '--frobnicate'/],
    ['an option without its value', ['demo', '--seed'], /'--seed <value>' argument missing/],
    ['an unexpected argument', ['status', 'now'], /unexpected argument "now"/],
    ['import of nothing', ['import'], /KIND: expected one of logs, profiles, badges, got ""/],
    ['import of something unknown', ['import', 'cats', 'f'], /KIND: .* got "cats"/],
    ['import without a file', ['import', 'logs'], /FILE: expected at least one/],
    ['export of something unknown', ['export', 'profiles'], /KIND: expected logs or graph, got "profiles"/],
    ['export to two files', ['export', 'logs', 'a', 'b'], /unexpected argument "b"/],
    ['backup without a file', ['backup'], /FILE: expected the path of the copy/],
    ['backup to two files', ['backup', 'a', 'b'], /unexpected argument "b"/],
    ['too few accounts', ['demo', '--accounts', '49'], /--accounts: expected a whole number of at least 50, got "49"/],
    ['a seed that is no number', ['demo', '--seed', '1.5'], /--seed: expected a whole number of at least 0, got "1.5"/],
    ['a time that is no number', ['demo', '--now', 'noon'], /--now: expected a whole number of at least 0, got "noon"/],
  ])('exits with 2 and names the error: %s', async (_, args, message) => {
    const { code, stdout, stderr } = await runKith(args, { env: { DATABASE_URL: 'sqlite:/dev/null/kith.db' } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(failureIn(stderr)).toMatch(message);
    expect(failureIn(stderr)).toMatch(/^.* \[E_USAGE\]$/);
  });
});

describe('an invalid setting', () => {
  it.each([
    ['PORT', 'http'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['DATABASE_URL', 'mysql://root@localhost/kith'],
    ['DATABASE_URL', 'sqlite:'],
    ['DATABASE_URL', 'postgres://host:99999/kith'],
    ['DATABASE_POOL', '0'],
    ['CACHE_MB', '64 MB'],
    ['BADGE_EVENTS', '177709,first'],
    ['LOG_LEVEL', 'loud'],
    ['DEPLOYMENT', 'moonnet'],
  ])('exits with 1, names the variable and ends with the code: %s=%s', async (name, value) => {
    const { code, stdout, stderr } = await runKith(['status'], { env: { [name]: value } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(failureIn(stderr)).toMatch(new RegExp(`^${name}: expected .* \\[E_CONFIG\\]$`));
  });

  it.each(['start', 'serve', 'index', 'import', 'demo', 'rebuild'])(
    'ends kith %s before it opens the database',
    async (name) => {
      const args = name === 'import' ? ['import', 'logs', '/nowhere'] : [name];
      const { code, stderr } = await runKith(args, { env: { PORT: 'http', DATABASE_URL: 'sqlite:/dev/null/kith.db' } });
      expect({ code, failure: failureIn(stderr) }).toEqual({ code: 1, failure: expect.stringMatching(/^PORT: /) });
    },
  );

  it.each([
    ['DATABASE_URL', `mysql://kith:${PASSWORD}@127.0.0.1/kith`],
    ['DATABASE_URL', `postgres://kith:${PASSWORD}@127.0.0.1:99999/kith`],
    ['DATABASE_URL', `${PASSWORD}`],
    ['PORT', `postgres://kith:${PASSWORD}@127.0.0.1/kith`],
    ['LOG_LEVEL', `postgres://kith:${PASSWORD}@127.0.0.1/kith`],
  ])('is printed without the password that it contains (%s)', async (name, value) => {
    const { stdout, stderr } = await runKith(['status'], { env: { [name]: value } });
    expect(stderr).toContain(name);
    expect(stdout + stderr).not.toContain(PASSWORD);
  });
});

describe('an unreachable database server', () => {
  it.each([
    ['has no listener', '127.0.0.1:1'],
    ['has no listener on either of two addresses', 'localhost:1'],
    ['has an unknown host name', 'nobody.invalid'],
  ])('exits with 1, one line and no password if the server %s', async (_, host) => {
    const DATABASE_URL = `postgres://kith:${PASSWORD}@${host}/kith`;
    const { code, stdout, stderr } = await runKith(['status'], { env: { DATABASE_URL, LOG_LEVEL: 'trace' } });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(failureIn(stderr)).toMatch(
      /^the database cannot be reached: .*(ECONNREFUSED|ENOTFOUND|EAI_AGAIN).* \[E_DATABASE_UNAVAILABLE\]$/,
    );
    expect(stderr).toMatch(/^[^\n]*\n$/);
  });
});
