import type { LoadGenerator } from '../harness/processes.ts';
import type { Options } from '../options.ts';
import type { Findings } from '../report/findings.ts';

/** Something to measure that can be measured alone. */
export interface Part {
  readonly name: string;
  readonly title: string;
  run(bench: Bench): Promise<Findings>;
}

export interface Bench {
  readonly options: Options;
  readonly load: LoadGenerator;
  /** Hears how it goes. */
  readonly tell: (line: string) => void;
}
