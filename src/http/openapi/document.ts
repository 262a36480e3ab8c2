import { readFileSync } from 'node:fs';
import { STATUS_CODES } from 'node:http';

type Part = Readonly<Record<string, unknown>>;
type Kind = 'schemas' | 'headers' | 'responses';

interface Operation {
  readonly operationId?: string;
  parameters?: readonly { readonly in: string }[];
  readonly responses?: { readonly 200?: { readonly content?: Record<string, { example?: unknown } | undefined> } };
}

/** What `completeDocument` reads of a document of @fastify/swagger. */
interface Document {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: object;
}

/**
 * Adds the examples of answers, lists the parameters of a path before those of the query, and names the components.
 * Returns a new document.
 */
export function completeDocument(given: object): object {
  const document = JSON.parse(JSON.stringify(given)) as Document;
  const examples = JSON.parse(readFileSync(new URL('../generated/examples.json', import.meta.url), 'utf8'));
  for (const operation of Object.values(document.paths ?? {}).flatMap(Object.values<Operation>)) {
    const { operationId = '', parameters, responses } = operation;
    const isInQuery = (parameter: { in: string }) => Number(parameter.in !== 'path');
    if (parameters) operation.parameters = parameters.toSorted((a, b) => isInQuery(a) - isInQuery(b));
    const answer = responses?.[200]?.content?.['application/json'];
    if (answer && operationId in examples) answer.example = examples[operationId];
  }
  return nameComponents(document);
}

/**
 * Moves what operations share to `components`: schemas that have a title, headers by their names, and responses other
 * than 200 by their statuses. Types that are generated from the document then have names.
 */
export function nameComponents<D extends { readonly paths?: unknown; readonly components?: object }>(document: D): D {
  const components: Record<Kind, Record<string, unknown>> = { schemas: {}, headers: {}, responses: {} };

  function refer(kind: Kind, name: string, part: unknown): Part {
    const named = (components[kind][name] ??= part);
    if (JSON.stringify(named) !== JSON.stringify(part)) throw new Error(`two ${kind} are called ${name}`);
    return { $ref: `#/components/${kind}/${name}` };
  }

  function move(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== 'object' || value === null) return value;
    const moved = Object.fromEntries(
      Object.entries(value).map(([key, part]) => {
        if (key === 'example' || key === 'examples') return [key, part];
        if (key === 'headers') return [key, mapValues(part, (name, header) => refer('headers', name, header))];
        return [key, key === 'responses' ? mapValues(part, moveResponse) : move(part)];
      }),
    );
    const { title, ...schema } = moved;
    // A property of a schema may be called title, too.
    return typeof title === 'string' ? refer('schemas', title, schema) : moved;
  }

  function moveResponse(status: string, response: unknown): unknown {
    const moved = move(response);
    return status === '200' ? moved : refer('responses', (STATUS_CODES[status] ?? status).replaceAll(' ', ''), moved);
  }

  const paths = move(document.paths);
  return { ...document, paths, components: { ...document.components, ...components } };
}

/** Safe to cast: OpenAPI has objects at these keys. */
function mapValues(parts: unknown, move: (name: string, part: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(parts as Part).map(([name, part]) => [name, move(name, part)]));
}
