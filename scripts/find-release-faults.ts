export interface ReleaseFiles {
  readonly packageJson: { readonly version?: unknown; readonly repository?: { readonly url?: unknown } };
  /** The package.json of packages/client, which has a version of its own. */
  readonly clientJson: { readonly version?: unknown };
  readonly packageLock: {
    readonly version?: unknown;
    readonly packages?: Readonly<Record<string, { readonly version?: unknown }>>;
  };
  /** Text of CHANGELOG.md. */
  readonly changelog: string;
  readonly openApi: { readonly info?: { readonly version?: unknown } };
  /** The git tag that is released, null if none is. */
  readonly tag: string | null;
}

const SEMVER = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

/** Says what of a release does not agree with the version in package.json. Empty if all agrees. */
export function findReleaseFaults(files: ReleaseFiles): string[] {
  const { packageJson, clientJson, packageLock, changelog, openApi, tag } = files;
  const { version } = packageJson;
  if (!isVersion(version)) return [`package.json: expected a version such as 1.2.3, got ${JSON.stringify(version)}`];
  const stated: readonly (readonly [string, unknown, string])[] = [
    ['package-lock.json: version', packageLock.version, version],
    ['package-lock.json: version of the root package', packageLock.packages?.['']?.version, version],
    ['OpenAPI: info.version', openApi.info?.version, version],
    ...(tag === null ? [] : ([['tag', tag, `v${version}`]] as const)),
  ];
  const faults = stated
    .filter(([, found, expected]) => found !== expected)
    .map(([what, found, expected]) => `${what}: expected ${expected}, as in package.json, got ${found ?? 'none'}`);
  // npm compares it with the repository that publishes.
  if (tag !== null && typeof packageJson.repository?.url !== 'string')
    faults.push('package.json: expected repository.url, without which npm refuses to publish with provenance');
  const locked = packageLock.packages?.['packages/client']?.version;
  if (!isVersion(clientJson.version) || locked !== clientJson.version)
    faults.push(`packages/client: expected one version, got ${clientJson.version}, and ${locked} in package-lock.json`);
  return [...faults, ...findChangelogFaults(changelog, version)];
}

function isVersion(text: unknown): text is string {
  return typeof text === 'string' && SEMVER.test(text);
}

/** Checks the headings, as Keep a Changelog has them: `## [1.2.3] - 2026-01-31`, the newest first. */
function findChangelogFaults(changelog: string, version: string): string[] {
  const headings = [...changelog.matchAll(/^## (.+)$/gm)].map(([, heading = '']) => heading);
  const [unreleased, newest = 'none'] = headings;
  const faults: string[] = [];
  if (unreleased !== '[Unreleased]') {
    faults.push(`CHANGELOG.md: expected the first section to be [Unreleased], got ${unreleased ?? 'none'}`);
  }
  const [, name, date = ''] = /^\[(.+?)\](?: - (.+))?$/.exec(newest) ?? [];
  if (name !== version) {
    faults.push(`CHANGELOG.md: expected the newest release to be [${version}], as in package.json, got ${newest}`);
  } else if (!isDate(date)) {
    faults.push(`CHANGELOG.md: expected a date such as 2026-01-31 after [${version}], got ${date || 'none'}`);
  }
  return faults;
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // February 30 is read as a day of March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
