export interface DemoOptions {
  readonly accounts: number;
  readonly seed: number;
  /** End of the timeline, in Unix seconds. */
  readonly now: number;
}
