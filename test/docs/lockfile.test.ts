import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Package {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const lockfile = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8');
const { packages }: { packages: Record<string, Package> } = JSON.parse(lockfile);

/** Binaries for other platforms may be missing in the registry that wrote the lockfile. */
const isForOnePlatform = ({ optional, os, cpu }: Package) => optional === true && (os ?? cpu) !== undefined;

describe('package-lock.json', () => {
  it('has an integrity hash for every package from the registry', () => {
    const fromRegistry = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    const unverified = fromRegistry.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
    expect(fromRegistry.length).toBeGreaterThan(300);
    expect(unverified.filter(([, one]) => !isForOnePlatform(one)).map(([path]) => path)).toEqual([]);
  });
});
