import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { millis } from '../../../bench/numbers.ts';
import type { Bar } from '../../../bench/report/findings.ts';
import { holds, type Trial } from '../../drill.ts';
import { sleep, until } from '../../harness/numbers.ts';
import { startWatch, type Watch } from '../../harness/watch.ts';

/** One attack on a service of its own. */
export interface HostileCase {
  readonly name: string;
  /** Left out of a quick run. */
  readonly isSlow?: boolean;
  prepare(setting: Setting): Promise<Attack>;
}

export interface Setting extends Pick<Trial, 'defer'> {
  /** Empty. */
  readonly folder: string;
}

/** Conditions by what they say, each of which must become true in time. */
export type Conditions = Readonly<Record<string, () => Promise<boolean> | boolean>>;

export interface Attack {
  /** The attacked process. */
  readonly pid: number;
  /** Where it and its child processes answer /health. */
  readonly ports: readonly number[];
  /** Resolves when the attack is complete. */
  run(watch: Watch): Promise<unknown>;
  /** What goes on during the attack, as it does before. */
  readonly others: Conditions;
  /** What is true after the attack. */
  readonly outcome?: Conditions;
  /** Whether the attack goes on since the start of the process. */
  readonly isUnderAttack?: boolean;
}

const HEALTH_BAR_MS = 1_000;
const GROWTH_BAR_MB = 150;
/** For an attack to have its effect. */
const LEAST_MS = 4_000;
/** For an attack, and for what goes on meanwhile. */
const LIMIT_MS = 20_000;
const OUTCOME_LIMIT_MS = 10_000;

export async function runCase({ name, prepare }: HostileCase, trial: Trial): Promise<Bar> {
  const deferred: (() => Promise<void> | void)[] = [];
  const defer: Trial['defer'] = (work) => void deferred.unshift(work);
  const folder = await mkdtemp(join(trial.folder, 'case-'));
  try {
    const { pid, ports, run, others, outcome = {}, isUnderAttack } = await prepare({ folder, defer });
    const early = isUnderAttack ? [] : await unmet(others);
    if (early.length > 0) throw new Error(`before the attack, not within ${LIMIT_MS / 1000} s: ${early.join(', ')}`);
    const watch = await startWatch(pid, ports);
    const attack = Promise.race([Promise.all([run(watch), sleep(LEAST_MS)]), sleep(LIMIT_MS)]);
    await sleep(500);
    const missing = await unmet(others);
    await attack;
    // Its effect may have begun late.
    if (missing.length === 0) missing.push(...(await unmet(others)));
    const { healthMs, grownMegabytes } = await watch.stop();
    missing.push(...(await unmet(outcome, OUTCOME_LIMIT_MS)));
    const isReached = missing.length === 0 && healthMs <= HEALTH_BAR_MS && grownMegabytes <= GROWTH_BAR_MB;
    const measured = `${millis(healthMs)}, ${grownMegabytes.toFixed(0)} MB, ${missing.length === 0 ? 'all' : `not: ${missing.join(', ')}`}`;
    return holds(name, `${HEALTH_BAR_MS / 1000} s, ${GROWTH_BAR_MB} MB, all conditions`, isReached, measured);
  } catch (error) {
    return holds(name, 'runs', false, error instanceof Error ? error.message.slice(0, 500) : String(error));
  } finally {
    for (const work of deferred) await work();
  }
}

/** The conditions that do not become true in time. */
async function unmet(conditions: Conditions, limitMs = LIMIT_MS): Promise<string[]> {
  const found = await Promise.all(
    Object.entries(conditions).map(async ([what, isTrue]) => ((await until(isTrue, limitMs, 250)) ? [] : [what])),
  );
  return found.flat();
}
