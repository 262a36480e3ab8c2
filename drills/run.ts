import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderBars } from '../bench/report/render-table.ts';
import type { Drill, Trial } from './drill.ts';
import { DRILLS } from './drills.ts';
import { parseOptions } from './options.ts';
import { keepResult, type Result, writeResults } from './results.ts';

/** `npm run drill`; docs/reliability.md lists the options. */
const options = parseOptions(DRILLS.map(({ name }) => name));
console.log(`seed ${options.seed}`);
const failed: string[] = [];
for (const drill of DRILLS.filter(({ name }) => options.names.includes(name))) {
  console.log(`\n## ${drill.name}: ${drill.title}`);
  const result = await runDrill(drill);
  console.log(`\n${result.error ?? renderBars(result.bars)}\n\n${Math.round(result.seconds)} s`);
  if (result.error !== null || result.bars.some(({ isReached }) => !isReached)) failed.push(drill.name);
  if (!options.isQuick) keepResult(drill.name, result);
}
if (!options.isQuick) console.log(`\nWritten: ${writeResults(DRILLS)}`);
console.log(failed.length === 0 ? '\nAll drills passed.' : `\nFailed: ${failed.join(', ')}`);
// Timers and connections of a drill that exceeded its limit must not keep the process alive.
process.exit(failed.length === 0 ? 0 : 1);

async function runDrill(drill: Drill): Promise<Result> {
  const deferred: (() => Promise<void> | void)[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'kith-drill-'));
  const trial: Trial = {
    isQuick: options.isQuick,
    seed: options.seed,
    soakMinutes: options.soakMinutes,
    folder,
    log: (line) => console.error(`  ${line}`),
    defer: (work) => void deferred.unshift(work),
  };
  const began = performance.now();
  const end = (result: Pick<Result, 'bars' | 'error'>): Result => ({
    ...result,
    at: new Date().toISOString(),
    seconds: (performance.now() - began) / 1000,
    seed: options.seed,
  });
  const minutes = drill.limitMinutes + (drill.name === 'soak' ? options.soakMinutes : 0);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not finished after ${minutes} minutes`)), minutes * 60_000);
  });
  try {
    return end({ bars: await Promise.race([drill.run(trial), limit]), error: null });
  } catch (error) {
    // Continue with the other drills.
    console.error(error);
    return end({ bars: [], error: error instanceof Error ? error.message : String(error) });
  } finally {
    clearTimeout(timer);
    for (const work of deferred) await work();
    await rm(folder, { recursive: true, force: true });
  }
}
