import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { type PartName, projectsOf } from './parts.ts';

const cwd = fileURLToPath(new URL('../..', import.meta.url));

const PROCESSES = /^node:(child_process|cluster)$/;
const POSTGRES = /\/postgres-(server|databases)\.ts$/;
const EVM = /^@nomicfoundation\/edr$/;
const BROWSER = /^playwright-core$/;
const NOT_FROM_NPM = /\/(programs|install-package)\.ts$/;

/** What the files of a part must not import, themselves or through other files of test/. */
const FORBIDDEN: Partial<Record<PartName, readonly RegExp[]>> = {
  unit: [PROCESSES, POSTGRES, EVM, BROWSER, NOT_FROM_NPM],
  store: [EVM, BROWSER, NOT_FROM_NPM],
  process: [BROWSER, NOT_FROM_NPM],
  faults: [BROWSER, NOT_FROM_NPM],
};

function filesOf(part: PartName): string[] {
  const { include = [], exclude = [] } = projectsOf([part])[0]?.test ?? {};
  const excluded = new Set(globSync(exclude, { cwd }));
  return globSync(include, { cwd }).filter((file) => !excluded.has(file));
}

const importsOf = (file: string) =>
  [
    ...readFileSync(join(cwd, file), 'utf8').matchAll(
      /^(?:import|export) (?!type ).*?from '(.+?)';$|import\('(.+?)'\)/gms,
    ),
  ]
    .map(([, name, dynamic]) => name ?? dynamic ?? '')
    .map((name) => (name.startsWith('.') ? join(dirname(file), name) : name));

/** Modules that a file imports, with the file of test/ that does it. */
function reachableFrom(file: string, seen = new Map<string, string>()): Map<string, string> {
  for (const name of importsOf(file)) {
    if (seen.has(name)) continue;
    seen.set(name, file);
    if (name.startsWith('test/')) reachableFrom(name, seen);
  }
  return seen;
}

describe.each(Object.entries(FORBIDDEN))('the part %s of the suite', (part, forbidden) => {
  it('needs nothing that belongs to another part', () => {
    // Safe: these are the keys of an object of parts.
    const files = filesOf(part as PartName);
    expect(files).not.toEqual([]);
    const found = files.flatMap((file) =>
      [...reachableFrom(file)]
        .filter(([name]) => forbidden.some((pattern) => pattern.test(name)))
        .map(([name, by]) => `${file} imports ${name} through ${by}`),
    );
    expect(found).toEqual([]);
  });
});
