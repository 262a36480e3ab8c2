import { registerHooks } from 'node:module';

/** Preloaded: `src/*.ts` is read from `dist`, because threads of the store are started from built files. */
const [src, dist] = ['src', 'dist'].map((folder) => new URL(`../../${folder}/`, import.meta.url).href);

registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    if (!found.url.startsWith(src)) return found;
    const url = `${dist}${found.url.slice(src.length).replace(/\.ts$/, '.js')}`;
    return { ...found, url, format: 'module' };
  },
});
