/** A request of a documentation page, with the answer that the page shows below it. */
export interface Example {
  /** Paths below /api/v1, all with the same answer. */
  readonly paths: readonly string[];
  /** The JSON text in its code block. */
  readonly answer: string;
  /** Where that text is in the page. */
  readonly start: number;
}

/** A `sh` block of curl commands, directly followed by a `json` block. */
const EXAMPLE = /```sh\n(?<commands>(?:curl [^\n]*\n)+)```\n\n```json\n(?<answer>.*?)```/dgs;
const PATH = /\/api\/v1(\/[^"\s]*)/g;

export function findExamples(page: string): Example[] {
  return [...page.matchAll(EXAMPLE)].map(({ groups, indices }) => ({
    paths: [...(groups?.commands ?? '').matchAll(PATH)].map(([, path = '']) => path),
    answer: groups?.answer ?? '',
    start: indices?.groups?.answer?.[0] ?? 0,
  }));
}

/** Replaces the answers that differ in more than their times, so that a second run changes nothing. */
export async function updateExamples(page: string, get: (path: string) => Promise<unknown>): Promise<string> {
  let updated = page;
  // From the last to the first: a replacement moves everything after it.
  for (const { paths, answer, start } of findExamples(page).reverse()) {
    const current = await get(paths[0] ?? '');
    if (isSameAnswer(current, JSON.parse(answer))) continue;
    updated = updated.slice(0, start) + formatJson(current) + updated.slice(start + answer.length);
  }
  return updated;
}

/** Times depend on when the demo graph was generated. */
export function withoutTimes(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (key, value) =>
    ['updated_at', 'last_updated', 'fresh'].includes(key) ? typeof value : value,
  );
}

function isSameAnswer(a: unknown, b: unknown): boolean {
  return JSON.stringify(withoutTimes(a)) === JSON.stringify(withoutTimes(b));
}

/** Indented JSON, with short arrays of strings on one line. */
function formatJson(json: unknown): string {
  const text = JSON.stringify(json, null, 2);
  const compact = text.replace(/\[\s+("[^"]*"(?:,\s+"[^"]*")*)\s+\]/g, (_, items: string) => {
    return `[${items.replace(/,\s+/g, ', ')}]`;
  });
  return `${compact}\n`;
}
