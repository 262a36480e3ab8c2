export interface DemoOptions {
  readonly accounts: number;
  readonly seed: number;
  /** Unix seconds: the end of the timeline */
  readonly now: number;
}
