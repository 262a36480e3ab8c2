import { fileURLToPath } from 'node:url';

/** Resolves a path of the repository. */
export function inClone(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

export const KITH = inClone('bin/kith.js');
