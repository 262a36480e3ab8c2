import { readFile, writeFile } from 'node:fs/promises';
import { startDemoService } from '../test/docs/demo-service.ts';
import { answerOf, updateExamples } from '../test/docs/examples.ts';
import { EXAMPLES_TIME, readExamples } from '../test/docs/operation-examples.ts';

// Rewrites the answers of the examples in the documentation and in the OpenAPI document: npm run docs:examples
const service = await startDemoService(() => EXAMPLES_TIME);
try {
  for (const name of ['README.md', 'docs/api.md']) {
    const path = new URL(`../${name}`, import.meta.url);
    const page = await readFile(path, 'utf8');
    const updated = await updateExamples(page, (request) => answerOf(service, request));
    if (updated !== page) await writeFile(path, updated);
    process.stdout.write(`${name}: ${updated === page ? 'up to date' : 'rewritten'}\n`);
  }
} finally {
  await service.close();
}

const fixed = await startDemoService(() => EXAMPLES_TIME);
try {
  const path = new URL('../src/http/generated/examples.json', import.meta.url);
  await writeFile(path, `${JSON.stringify(await readExamples(fixed.url), null, 2)}\n`);
} finally {
  await fixed.close();
}
