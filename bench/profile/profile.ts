import { Session } from 'node:inspector/promises';
import { type PartOf, sumProfile } from './sum-profile.ts';

/** Categories of a CPU sample: the first whose pattern matches the innermost of our frames. */
const PARTS: readonly [part: string, pattern: RegExp][] = [
  ['RPC requests', /\/src\/rpc\//],
  ['read and parse', /\/src\/(?:async|import|protocol\/parse-log)/],
  ['decode', /\/src\/(?:protocol|ingest\/ingest-logs)/],
  ['write', /\/src\/store\//],
  ['fold', /\/src\/(?:graph|ingest|rows|ranks|contract)\//],
];
const SAMPLE_MICROSECONDS = 500;

/** Runs `work` and returns microseconds by category, in this thread. */
export async function profile(work: () => Promise<void>): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return sumProfile(profile, partOf, 'Node');
}

/** A callee counts for its caller unless it has a category itself. */
const partOf: PartOf = ({ functionName, url }, outer) => {
  if (functionName === '(idle)') return 'waiting';
  if (functionName === '(garbage collector)') return 'garbage collection';
  return PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? outer;
};
