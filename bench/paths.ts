import { fileURLToPath } from 'node:url';

/** Resolves a path of the repository; this file runs in `build/bench`. */
export function inClone(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
