import type { Tool } from '../../mcp/mcp-server.ts';
import { objectSchemaOf } from '../openapi/operation-schema.ts';
import { HttpProblem } from '../problems.ts';
import { integer, isAbsent, type Parameter, type Parameters, readParameters } from '../request/parameters.ts';
import type { Route } from '../routes/route.ts';
import { pickSchema, type Shape } from './pick.ts';
import { TOOLS, type ToolSpec } from './tools.ts';

/** A request to a lookup, as Fastify would have parsed it. */
export interface LookupCall {
  readonly route: Route;
  /** The path and the query below the prefix of the API. */
  readonly url: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly shape: Shape;
}

type Given = Readonly<Record<string, unknown>>;

export interface LookupTool {
  readonly definition: Tool;
  /** Throws an `HttpProblem` that names the argument that is wrong. */
  call(given: Given): LookupCall;
}

/** A result is read by a model as a whole. */
const LIMIT = integer('Number of entries of the result.', 1, 50, 10);
const CURSOR = {
  schema: { type: 'string', description: 'The cursor in `next` of the result before, with its other arguments.' },
  expected: 'the cursor in `next` of a result',
};

/** What a result has besides its part of the answer: the call that continues it, and what is to be known about it. */
const NEXT = { next: { type: 'object', properties: { tool: { type: 'string' }, arguments: { type: 'object' } } } };
const NOTICE = { notice: { type: 'string' } };

/** Creates the tools of `TOOLS` from the lookups that they name. */
export function createTools(routes: readonly Route[]): ReadonlyMap<string, LookupTool> {
  const find = (path: string) => {
    const found = routes.find((route) => route.path === path && route.body === undefined);
    if (found === undefined) throw new Error(`no lookup has the path ${path}`);
    return found;
  };
  return new Map(TOOLS.map((spec) => [spec.name, createTool(spec, find)]));
}

function createTool(spec: ToolSpec, find: (path: string) => Route): LookupTool {
  const { name, title, description, parameters: names, shape, fixed = {} } = spec;
  const plain = createCaller(find(spec.route), spec);
  const search = spec.searchRoute === undefined ? null : createCaller(find(spec.searchRoute), spec);
  const own = { ...search?.parameters, ...plain.parameters };
  // In the order of the table.
  const parameters = Object.fromEntries(Object.keys(names).map((argument) => [argument, parameterOf(own, argument)]));
  const output = pickSchema(plain.route.response, shape) as { readonly properties: object };
  return {
    definition: {
      ...{ name, title, description },
      inputSchema: { ...objectSchemaOf(parameters), additionalProperties: false },
      outputSchema: { ...output, properties: { ...output.properties, ...('cursor' in names ? NEXT : {}), ...NOTICE } },
      annotations: { readOnlyHint: true },
    },
    call(given) {
      const unknown = Object.keys(given).find((argument) => !Object.hasOwn(parameters, argument));
      if (unknown !== undefined) throw invalid(`${quote(unknown)} is no argument of ${name}`, parameters);
      const texts = Object.fromEntries(
        Object.entries(given).map(([argument, value]) => [argument, textOf(argument, value)]),
      );
      const isSearch = search !== null && !isAbsent(texts.term);
      const { route, parameters: taken } = isSearch ? search : plain;
      const excess = Object.keys(texts).find(
        (argument) => !isAbsent(texts[argument]) && !Object.hasOwn(taken, argument),
      );
      if (excess !== undefined) throw invalid(`${excess} cannot be given with term`, taken);
      // Its errors name the arguments. Those of the lookup, which parses the same texts again, name its parameters.
      const values = readParameters(taken, texts);
      const sent: Record<string, string> = isSearch ? {} : { ...fixed };
      for (const argument of Object.keys(taken)) {
        const text = argument === 'limit' ? String(values.limit) : texts[argument];
        if (text !== undefined && text !== '') sent[names[argument] ?? ''] = text;
      }
      const isParam = ([parameter]: [string, string]) => Object.hasOwn(route.params, parameter);
      const [params, query] = [true, false].map((wanted) =>
        Object.fromEntries(Object.entries(sent).filter((entry) => isParam(entry) === wanted)),
      ) as [Record<string, string>, Record<string, string>];
      const path = route.path.replace(/:(\w+)/g, (_, parameter: string) => encodeURIComponent(params[parameter] ?? ''));
      return { route, url: `${path}?${new URLSearchParams(query)}`, params, query, shape };
    },
  };
}

/** A lookup, and its parameters by the arguments of a tool. */
function createCaller(route: Route, { parameters: names }: ToolSpec) {
  const all: Parameters = { ...route.params, ...route.query };
  const parameters: Record<string, Parameter<unknown>> = {};
  for (const [argument, name] of Object.entries(names)) {
    const parameter = all[name];
    if (parameter !== undefined) parameters[argument] = adapt(argument, parameter);
  }
  return { route, parameters };
}

function adapt(argument: string, parameter: Parameter<unknown>): Parameter<unknown> {
  if (argument === 'limit') return LIMIT;
  return argument === 'cursor' ? { ...parameter, ...CURSOR } : parameter;
}

function parameterOf(parameters: Parameters, argument: string): Parameter<unknown> {
  const found = parameters[argument];
  if (found === undefined) throw new Error(`no lookup of the tool has the argument ${argument}`);
  return found;
}

/** The text of a value in a URL. */
function textOf(argument: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (Number.isSafeInteger(value) || typeof value === 'boolean') return String(value);
  if (value === null) return '';
  throw new HttpProblem('invalid-parameter', `${argument} must be a text, an integer or a boolean`);
}

const MAX_SHOWN = 50;
const quote = (text: string) => JSON.stringify(text.slice(0, MAX_SHOWN));

function invalid(problem: string, parameters: Parameters): HttpProblem {
  const taken = Object.keys(parameters).join(', ');
  return new HttpProblem('invalid-parameter', `${problem}; ${taken === '' ? 'it takes none' : `it takes ${taken}`}`);
}
