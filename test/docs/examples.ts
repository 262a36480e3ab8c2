import type { Service } from '../support/service.ts';

/** A request that a documentation page shows as a curl command. */
export interface ExampleRequest {
  /** Below /api/v1. */
  readonly path: string;
  /** The body that is posted; undefined for GET. */
  readonly body?: string;
}

/** Requests of a documentation page, with the answer that the page shows below them. */
export interface Example {
  /** All with the same answer. */
  readonly requests: readonly ExampleRequest[];
  /** The JSON text in its code block. */
  readonly answer: string;
  /** Where that text is in the page. */
  readonly start: number;
}

/** A `sh` block of curl commands, directly followed by a `json` block. */
const EXAMPLE = /```sh\n(?<commands>(?:curl [^\n]*\n)+)```\n\n```json\n(?<answer>.*?)```/dgs;
const COMMAND = /^curl (?:--json '(?<body>[^']*)' )?"?http:\/\/127\.0\.0\.1:3000\/api\/v1(?<path>\/[^"\s]*)"?$/;

export function findExamples(page: string): Example[] {
  return [...page.matchAll(EXAMPLE)].map(({ groups, indices }) => ({
    requests: (groups?.commands ?? '').trimEnd().split('\n').map(readCommand),
    answer: groups?.answer ?? '',
    start: indices?.groups?.answer?.[0] ?? 0,
  }));
}

function readCommand(command: string): ExampleRequest {
  const { path, body } = COMMAND.exec(command)?.groups ?? {};
  if (path === undefined) throw new Error(`not a command of an example: ${command}`);
  return body === undefined ? { path } : { path, body };
}

/** The answer of a service to a request. */
export async function answerOf(service: Service, { path, body }: ExampleRequest): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  const { json } = await service.get(path, body === undefined ? {} : { method: 'POST', headers, body });
  return json;
}

/** Replaces the answers that differ in more than their times, so that a second run changes nothing. */
export async function updateExamples(
  page: string,
  answer: (request: ExampleRequest) => Promise<unknown>,
): Promise<string> {
  let updated = page;
  // From the last to the first: a replacement moves everything after it.
  for (const { requests, answer: shown, start } of findExamples(page).reverse()) {
    const [request] = requests;
    const current = request === undefined ? null : await answer(request);
    if (isSameAnswer(current, JSON.parse(shown))) continue;
    updated = updated.slice(0, start) + formatJson(current) + updated.slice(start + shown.length);
  }
  return updated;
}

/** Times depend on when the demo graph was generated. */
export function withoutTimes(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (key, value) =>
    ['updated_at', 'last_updated', 'minted_at', 'fresh'].includes(key) ? typeof value : value,
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
