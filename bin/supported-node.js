import { readFileSync } from 'node:fs';

/** Says why a version of Node.js is not supported. Null if it is. */
export function findNodeFault(version) {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
  const [major, minor] = version.split('.').map(Number);
  const [minMajor, minMinor] = engines.node.match(/\d+/g).map(Number);
  if (major > minMajor || (major === minMajor && minor >= minMinor)) return null;
  return `Node.js ${version} is not supported: use ${minMajor}.${minMinor} or later`;
}
