import { type Drill, holds } from '../drill.ts';
import { makeGraph } from '../harness/graphs.ts';
import { damage } from './sqlite/damage.ts';
import { diskFull } from './sqlite/disk-full.ts';
import { lockHeld } from './sqlite/lock-held.ts';
import { readOnly } from './sqlite/read-only.ts';

/** The outcome of a fault of the file: what was observed, and what was wrong with it. */
export interface FileOutcome {
  readonly fault: string;
  readonly bar: string;
  readonly observed: string;
  readonly wrong: readonly string[];
}

const ACCOUNTS = 300;

export const sqlite: Drill = {
  name: 'sqlite',
  title: 'Faults of the SQLite file, its folder and its disk',
  limitMinutes: 6,
  async run(trial) {
    const graph = await makeGraph(ACCOUNTS);
    const outcomes: FileOutcome[] = [];
    for (const part of [damage, lockHeld, readOnly, diskFull]) {
      outcomes.push(...(await part(trial, graph)));
    }
    return outcomes.map(({ fault, bar, observed, wrong }) =>
      holds(fault, bar, wrong.length === 0, wrong.length === 0 ? observed : `${wrong.join('; ')} (${observed})`),
    );
  },
};
