import type { LoadGenerator } from '../harness/processes.ts';
import type { Options } from '../options.ts';
import type { Findings } from '../report/findings.ts';

/** A part of the benchmark that can be run alone. */
export interface Part {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<Findings>;
}

export interface Bench {
  readonly options: Options;
  readonly load: LoadGenerator;
  /** Logs progress. */
  readonly log: (line: string) => void;
}
