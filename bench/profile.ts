import { type Profiler, Session } from 'node:inspector/promises';

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
  return sum(profile);
}

function sum(profile: Profiler.Profile): Map<string, number> {
  const partOf = new Map<number, string>();
  const children = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const visit = (node: Profiler.ProfileNode, outer: string) => {
    const part = nameOf(node, outer);
    partOf.set(node.id, part);
    for (const child of node.children ?? []) {
      const next = byId.get(child);
      if (next !== undefined) visit(next, part);
    }
  };
  for (const node of profile.nodes) if (!children.has(node.id)) visit(node, 'node itself');
  const total = new Map<string, number>();
  profile.samples?.forEach((id, i) => {
    const part = partOf.get(id) ?? 'node itself';
    total.set(part, (total.get(part) ?? 0) + (profile.timeDeltas?.[i] ?? 0));
  });
  return total;
}

/** What is called from a part belongs to it, unless it is a part itself. */
function nameOf({ callFrame: { functionName, url } }: Profiler.ProfileNode, outer: string): string {
  if (functionName === '(idle)') return 'waiting';
  if (functionName === '(garbage collector)') return 'garbage collection';
  return PARTS.find(([, pattern]) => pattern.test(url))?.[0] ?? outer;
}
