import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

export interface Page {
  readonly html: string;
  readonly script: string;
  readonly style: string;
}

/** Bundles the page with the package and its peers as they are published. */
export async function buildPage(): Promise<Page> {
  const bundle = await rolldown({
    input: fileURLToPath(new URL('page.jsx', import.meta.url)),
    platform: 'browser',
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'silent',
  });
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false });
  await bundle.close();
  return {
    html: `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><link rel="stylesheet" href="/page.css"></head>
<body><div id="root"></div><script type="module" src="/page.js"></script></body>
</html>`,
    script: output[0].code,
    style: await readFile(fileURLToPath(import.meta.resolve('ethereum-identity-kit/css')), 'utf8'),
  };
}
