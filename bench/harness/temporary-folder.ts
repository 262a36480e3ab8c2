import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own; the path has a slash at its end. */
export function temporaryFolder(): { readonly path: string; remove(): void } {
  const path = `${mkdtempSync(join(tmpdir(), 'kith-bench-'))}/`;
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
