import { fileURLToPath } from 'node:url';

/** A path in the clone: this file runs in `build/bench`. */
export function inClone(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
