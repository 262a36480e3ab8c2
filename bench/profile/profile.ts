import { Session } from 'node:inspector/promises';
import { type PartOf, sumProfile } from './sum-profile.ts';

/** What a sample of the CPU counts for: the first that fits the innermost frame of ours. */
const PARTS: readonly [part: string, pattern: RegExp][] = [
  ['node requests', /\/src\/rpc\//],
  ['read and parse', /\/src\/(?:batches|ingest\/(?:raw-log|read-lines|import-file))/],
  ['decode', /\/src\/(?:protocol|ingest\/ingest-logs)/],
  ['write', /\/src\/store\//],
  ['fold', /\/src\/(?:graph|ingest|contract)\//],
];
const SAMPLE_MICROSECONDS = 500;

/** Runs `work` and tells how many microseconds went where, in this thread. */
export async function profile(work: () => Promise<void>): Promise<Map<string, number>> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: SAMPLE_MICROSECONDS });
  await session.post('Profiler.start');
  await work();
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  return sumProfile(profile, partOf, 'node itself');
}

/** What is called from a part belongs to it, unless it is a part itself. */
const partOf: PartOf = ({ functionName, url }, outer) => {
  if (functionName === '(idle)') return 'waiting';
  if (functionName === '(garbage collector)') return 'garbage collection';
  return PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? outer;
};
