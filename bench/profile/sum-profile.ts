import type { Profiler } from 'node:inspector/promises';

/** Returns the category of a frame, given that of its caller. */
export type PartOf = (frame: Profiler.ProfileNode['callFrame'], outer: string) => string;

/** Microseconds of a CPU profile by category, from `since` on. Samples outside of any frame count for `outermost`. */
export function sumProfile(
  profile: Profiler.Profile,
  partOf: PartOf,
  outermost: string,
  since = 0,
): Map<string, number> {
  const parts = new Map<number, string>();
  const children = new Set(profile.nodes.flatMap((node) => node.children ?? []));
  const byId = new Map(profile.nodes.map((node) => [node.id, node]));
  const visit = (node: Profiler.ProfileNode, outer: string) => {
    const part = partOf(node.callFrame, outer);
    parts.set(node.id, part);
    for (const child of node.children ?? []) {
      const next = byId.get(child);
      if (next !== undefined) visit(next, part);
    }
  };
  for (const node of profile.nodes) if (!children.has(node.id)) visit(node, outermost);
  const total = new Map<string, number>();
  let time = profile.startTime;
  profile.samples?.forEach((id, i) => {
    const took = profile.timeDeltas?.[i] ?? 0;
    time += took;
    if (time < since) return;
    const part = parts.get(id) ?? outermost;
    total.set(part, (total.get(part) ?? 0) + took);
  });
  return total;
}
