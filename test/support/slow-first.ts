import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The slowest parts first, together: a worker that goes from one part to another is started again. */
const PARTS = ['package', 'browser', 'faults', 'process', 'store', 'unit'];

/** The slowest files of their parts, slowest first. A long file that starts last runs alone while other workers are idle. */
const SLOW = [
  'test/commands/live-sources.test.ts',
  'test/indexer/simulation.test.ts',
  'test/package/package.test.ts',
  'test/indexer/crash.test.ts',
  'test/indexer/crash-start.test.ts',
  'test/indexer/takeover.test.ts',
  'test/commands/workers.test.ts',
  'test/commands/start.test.ts',
  'test/indexer/provider-faults.test.ts',
  'test/http/outage.test.ts',
  'test/property/history.test.ts',
  'test/property/bulk-load.test.ts',
  'test/lookup/statements.test.ts',
];

/** Starts the slowest files first. A fresh clone has no cached durations to sort by. */
export class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const index = SLOW.indexOf(relative(this.ctx.config.root, moduleId));
      return index === -1 ? SLOW.length : index;
    };
    const part = ({ project }: TestSpecification) => PARTS.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => part(a) - part(b) || rank(a) - rank(b));
  }
}
