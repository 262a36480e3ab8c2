import { execFileSync } from 'node:child_process';
import { platform } from 'node:os';

export const canMount = () => platform() === 'linux' && process.getuid?.() === 0;

/** Mounts a small file system in memory. */
export function mountTmpfs(path: string, size: string) {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', path]);
  return {
    remount: (options: string) => void execFileSync('mount', ['-o', `remount,${options}`, path]),
    unmount: () => void execFileSync('umount', ['-l', path]),
  };
}
