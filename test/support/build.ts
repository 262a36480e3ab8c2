import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    isBuilt: true;
  }
}

/** Compiles what has changed, once per run: processes, worker threads and pages are those of dist/. */
export default function build({ vitest }: TestProject): void {
  const root = vitest.getRootProject();
  if (root.getProvidedContext().isBuilt) return;
  execFileSync('npm', ['run', '--silent', 'build'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  root.provide('isBuilt', true);
}
