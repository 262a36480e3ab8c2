import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: object;
}

const HEAD = '// Generated from /openapi.json: npm run client:types\n\n';

/** Methods, kinds of parameters and kinds of components that there are not. */
const ABSENT = /^ *\w+\??: never;\n/gm;
const EMPTY_PARAMETERS = /^ *parameters: \{\n *\};\n/gm;
/** The client returns bodies only. */
const HEADERS = /^ *headers: \{\n *\[name: string\]: unknown;\n *\};\n/gm;
/** `webhooks` and other types that are empty. */
const EMPTY_TYPES = /^export type .*\n/gm;

/** The TypeScript types of the paths that the client has, from the OpenAPI document of the service. */
export async function renderClientTypes(document: Document): Promise<string> {
  const paths = Object.entries(document.paths).filter(([path]) => path.startsWith('/api/v1/') || path === '/status');
  const part = withoutDetails({ ...document, paths: Object.fromEntries(paths) });
  // Safe: it is a part of an OpenAPI document.
  const types = astToString(await openapiTS(part as OpenAPI3));
  return [ABSENT, EMPTY_PARAMETERS, HEADERS, EMPTY_TYPES].reduce(
    (text, pattern) => text.replace(pattern, ''),
    HEAD + types,
  );
}

/** Without headers, whole answers as examples and other formats of lookups; no schema has properties of these names. */
function withoutDetails(document: object): unknown {
  return JSON.parse(JSON.stringify(document), (key, value) => {
    const isAnswer = key === 'example' && typeof value === 'object';
    if (key === 'parameters') return value.filter(({ name }: { name: string }) => name !== 'format');
    if (key === 'content' && 'text/csv' in value) return { 'application/json': value['application/json'] };
    return key === 'headers' || key === 'examples' || isAnswer ? undefined : value;
  });
}
