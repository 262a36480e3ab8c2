import { writeFileSync } from 'node:fs';

/** Not in the graph, so that its profile is part of no other answer. */
export const MARKED = `0x${'d'.repeat(40)}`;

/** Writes a file for `kith import profiles` that gives a name to `MARKED`. */
export function writeProfile(path: string, name: string): void {
  writeFileSync(path, JSON.stringify({ address: MARKED, name, fresh: Date.now() }));
}
