import { writeFileSync } from 'node:fs';
import { compileContracts } from './compile-contracts.ts';
import { CONTRACT_SOURCES, compiledPath } from './compiled-contracts.ts';

// `npm run fixtures`: compiles the contracts that tests install on EVM nodes.
for (const source of CONTRACT_SOURCES) {
  const path = compiledPath(source);
  writeFileSync(path, `${JSON.stringify(compileContracts(source), null, 2)}\n`);
  console.log(path);
}
