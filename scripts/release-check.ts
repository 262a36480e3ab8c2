import { readFile } from 'node:fs/promises';
import { findReleaseFaults } from './find-release-faults.ts';
import { readOpenApi } from './read-openapi.ts';

// Checks that the version is the same everywhere: npm run release:check, or npm run release:check -- v1.2.3 for a tag
const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8');
const [tag = null] = process.argv.slice(2);
const faults = findReleaseFaults({
  packageJson: JSON.parse(await read('package.json')),
  clientJson: JSON.parse(await read('packages/client/package.json')),
  packageLock: JSON.parse(await read('package-lock.json')),
  changelog: await read('CHANGELOG.md'),
  openApi: await readOpenApi(),
  tag,
});
if (faults.length === 0) process.stdout.write('release:check: package, changelog and OpenAPI document agree\n');
for (const fault of faults) process.stderr.write(`release:check: ${fault}\n`);
process.exitCode = faults.length === 0 ? 0 : 1;
