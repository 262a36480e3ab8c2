import { execFileSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { CLONE } from '../paths.ts';

/** A built clone of one commit. */
export interface Checkout {
  readonly name: string;
  /** Its folder, with a slash at its end. */
  readonly clone: string;
  remove(): void;
}

const git = (...args: string[]) => execFileSync('git', args, { cwd: CLONE, encoding: 'utf8' }).trim();

/** The working tree as it is. */
export function buildWorkingTree(): Checkout {
  const changes = git('status', '--porcelain', '--', 'src');
  build(CLONE);
  return {
    name: `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : ' with changes'}`,
    clone: CLONE,
    remove: () => undefined,
  };
}

/** A commit in a temporary worktree, with the packages that are installed here. */
export function buildCommit(commit: string): Checkout {
  const name = git('rev-parse', '--short', '--verify', `${commit}^{commit}`);
  const folder = temporaryFolder();
  const clone = folder.path;
  const remove = () => {
    git('worktree', 'remove', '--force', clone);
    folder.remove();
  };
  git('worktree', 'add', '--quiet', '--detach', clone, name);
  try {
    for (const folder of ['node_modules', 'packages/client/node_modules']) {
      if (existsSync(CLONE + folder)) symlinkSync(CLONE + folder, clone + folder);
    }
    build(clone);
  } catch (error) {
    remove();
    throw error;
  }
  return { name, clone, remove };
}

/** Without the explorer page, which no request here reads. */
function build(clone: string): void {
  const compiler = `${CLONE}node_modules/typescript/bin/tsc`;
  execFileSync(process.execPath, [compiler, '-b', 'tsconfig.build.json'], { cwd: clone, stdio: 'inherit' });
}
