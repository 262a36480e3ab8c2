import { fetchAnswer } from '../support/service.ts';

/** When the demo graph of the examples ends, in Unix milliseconds: the same graph gives the same examples. */
export const EXAMPLES_TIME = Date.UTC(2026, 0, 1);

interface Media {
  readonly example?: unknown;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Media>> }>>;
}

/** The answers to the requests that the OpenAPI document has as examples, by operation. */
export async function readExamples(url: string): Promise<Record<string, unknown>> {
  const { paths } = (await fetchAnswer(`${url}/openapi.json`)).json as {
    paths: Record<string, Record<string, Operation>>;
  };
  const examples: Record<string, unknown> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      // Metrics are not JSON, and change with every request.
      if (operation.responses[200]?.content?.['application/json'] === undefined) continue;
      const body = operation.requestBody?.content['application/json']?.example;
      const { status, json } = await fetchAnswer(url + pathOf(path, operation), {
        method: method.toUpperCase(),
        headers: { accept: 'application/json', ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (status !== 200) throw new Error(`the example of ${operation.operationId} gets status ${status}`);
      examples[operation.operationId] = shorten(json);
    }
  }
  return examples;
}

/** The path with the examples of the parameters; a parameter without an example is left out. */
function pathOf(path: string, { parameters = [] }: Operation): string {
  let filled = path;
  const query = new URLSearchParams();
  for (const { name, in: place, example } of parameters) {
    if (example === undefined) continue;
    if (place === 'path') filled = filled.replace(`{${name}}`, example);
    else query.set(name, example);
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

const MAX_ENTRIES = 2;

/** Cuts long arrays, so that the document stays readable. */
function shorten(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (_, value) => (Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : value));
}
