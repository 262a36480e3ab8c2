import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** A service for `npm run web:dev`, which serves the page from its sources. */
const SERVICE = 'http://127.0.0.1:3000';

const OUT = fileURLToPath(new URL('../dist/web/', import.meta.url));

/** Compresses the assets once, at the best level, instead of for each request. */
const compress: Plugin = {
  name: 'compress',
  closeBundle() {
    for (const name of readdirSync(`${OUT}assets`)) {
      const path = `${OUT}assets/${name}`;
      const content = readFileSync(path);
      writeFileSync(`${path}.br`, brotliCompressSync(content));
      writeFileSync(`${path}.gz`, gzipSync(content));
    }
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [compress],
  build: {
    outDir: OUT,
    emptyOutDir: true,
    // A data: URL would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'docs.html'].map((page) => fileURLToPath(new URL(page, import.meta.url))),
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  server: {
    proxy: { '/api': SERVICE, '/status': SERVICE, '/openapi.json': SERVICE, '/docs': SERVICE, '/demo': SERVICE },
  },
});
