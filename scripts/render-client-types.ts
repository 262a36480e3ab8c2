import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

const HEAD = '// Generated from /openapi.json: npm run client:types\n\n';

/** Methods and kinds of parameters that a path does not have. */
const ABSENT = /^ *\w+\?: never;\n/gm;
const EMPTY_PARAMETERS = /^ *parameters: \{\n *\};\n/gm;
/** `webhooks` and other types that are empty. */
const EMPTY_TYPES = /^export type .*\n/gm;

/** The TypeScript types of the paths that the client has, from the OpenAPI document of the service. */
export async function renderClientTypes(document: Document): Promise<string> {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/v1/') || path === '/status');
  const answers = paths.map(([path, methods]) => [path, withoutProblems(methods)]);
  // Safe: it is a part of an OpenAPI document.
  const part = { ...document, paths: Object.fromEntries(answers) } as unknown as OpenAPI3;
  const types = astToString(await openapiTS(part));
  return HEAD + types.replace(ABSENT, '').replace(EMPTY_PARAMETERS, '').replace(EMPTY_TYPES, '');
}

/** All problems have one schema, which the client knows. */
function withoutProblems(methods: Document['paths'][string]): object {
  const entries = Object.entries(methods).map(([method, operation]) => {
    const { 200: answer } = operation.responses as Record<string, unknown>;
    return [method, { ...operation, responses: { 200: answer } }];
  });
  return Object.fromEntries(entries);
}
