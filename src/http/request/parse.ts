import type { FastifyRequest } from 'fastify';
import { HttpProblem } from '../problems.ts';
import type { Route } from '../routes/route.ts';
import { checkCursor } from './cursor.ts';
import { cache, type Parameter, type Parameters, readParameters, type Source, type Values } from './parameters.ts';

/** A valid request. */
export interface Asked {
  readonly route: Route;
  /** Equal for all spellings of a value, and with defaults. */
  readonly params: Values<Parameters>;
  readonly query: Values<Parameters>;
  /** The query before it was parsed, which links repeat. */
  readonly given: Readonly<Record<string, unknown>>;
  /** Null for a request without a body. */
  readonly entries: Entries | null;
  readonly asksFresh: boolean;
  /** What the answer is made from. */
  readonly dependsOn: readonly Source[];
}

type Entries = readonly (string | null)[];

/** Throws an `HttpProblem` that names what is wrong. Unknown parameters are ignored. */
export function parse(route: Route, request: FastifyRequest): Asked {
  // Safe: Fastify parses both into objects.
  const given = request.query as Record<string, unknown>;
  const params = readParameters(route.params, request.params as Record<string, unknown>);
  const query = readParameters(route.query, given);
  checkCursor({ route, params, query, given });
  const entries = route.body === undefined ? null : parseEntries(request.body, route.body.maxEntries);
  const asksFresh = entries === null && readParameters({ cache }, given).cache;
  return { route, params, query, given, entries, asksFresh, dependsOn: dependsOn(route, query) };
}

function dependsOn(route: Route, query: Values<Parameters>): readonly Source[] {
  let sources = route.dependsOn;
  for (const name in route.query) {
    // Safe: `name` is a parameter, and its value was parsed by it.
    const source = (route.query[name] as Parameter<unknown>).dependsOn?.(query[name]) ?? null;
    if (source !== null && !sources.includes(source)) sources = [...sources, source];
  }
  return sources;
}

/** The body is undefined if there is none, because no parser runs then. */
function parseEntries(body: unknown, maxEntries: number): Entries {
  const entries = parseJson(String(body ?? ''));
  if (!Array.isArray(entries)) throw new HttpProblem('malformed-request', 'the body must be a JSON array');
  if (entries.length > maxEntries) {
    throw new HttpProblem(
      'malformed-request',
      `the body must have at most ${maxEntries} entries, got ${entries.length}`,
    );
  }
  const wrong = entries.findIndex((entry) => entry !== null && typeof entry !== 'string');
  if (wrong !== -1) throw new HttpProblem('malformed-request', `entry ${wrong} of the body must be a string or null`);
  return entries as Entries;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new HttpProblem('malformed-request', 'the body is not valid JSON', { cause: error });
  }
}
