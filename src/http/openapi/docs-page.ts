import { escapeText } from '../pages/page-head.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
}

interface Content {
  readonly schema?: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly content?: Readonly<Record<string, Content>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly example?: unknown;
  readonly schema: Schema;
}

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly description?: string; readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

/** What the page shows of an OpenAPI document. */
export interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
}

interface Placed {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** Renders the documentation of an API as HTML. `base` is the origin of its examples. */
export function renderDocs({ info, tags, paths, components }: Document, base: string): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Placed => ({ path, method: method.toUpperCase(), operation })),
  );
  const groups = tags.map((tag) => ({
    ...tag,
    placed: operations.filter(({ operation }) => operation.tags[0] === tag.name),
  }));
  const links = [...groups.map(({ name }) => name), 'errors', 'types'].map(
    (name) => `<li><a href="#${name}">${capital(name)}</a></li>`,
  );
  return `<nav class="docs-groups" aria-label="On this page"><ul>${links.join('')}</ul></nav>
<div class="docs-body">
<header class="page-head"><h1>Kith API <span class="version">${escapeText(info.version)}</span></h1>${prose(info.description)}
<p>For programs: <a href="/openapi.json">the OpenAPI document</a>.</p></header>
${groups.map((group) => renderGroup(group, base)).join('\n')}
<section id="errors"><h2>Errors</h2>${Object.entries(components.responses).map(renderResponse).join('')}</section>
<section id="types"><h2>Types</h2>${Object.entries(components.schemas).map(renderType).join('')}</section>
</div>`;
}

function renderGroup(
  { name, description, placed }: { name: string; description: string; placed: readonly Placed[] },
  base: string,
): string {
  return `<section id="${name}"><h2>${capital(name)}</h2><p class="soft">${inline(description)}</p>
${placed.map((one) => renderOperation(one, base)).join('\n')}</section>`;
}

function renderOperation({ path, method, operation }: Placed, base: string): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const { 200: answer, ...others } = responses;
  const [body] = Object.values(requestBody?.content ?? {});
  return `<details class="operation" data-method="${method}" data-path="${path}"${answer === undefined ? '' : ' data-send'}>
<summary><span class="method" data-method="${method}">${method}</span> <code>${breakable(path)}</code> <span class="what">${escapeText(summary)}</span></summary>
<div id="${operationId}" class="operation-body"><h3 class="visually-hidden">${escapeText(summary)}</h3><p>${inline(description)}</p>
${parameters.length === 0 ? '' : `<h4>Parameters</h4><dl class="fields">${parameters.map(renderParameter).join('')}</dl>`}
${body === undefined ? '' : `<h4>Body</h4><p>${typeOf(body.schema ?? {})}${requestBody?.description ? `: ${inline(requestBody.description)}` : ''}</p>`}
<h4>Request</h4><pre class="request">${escapeText(commandFor({ path, method, operation }, base))}</pre>
${answer === undefined ? '' : renderAnswer(answer)}
<p class="soft statuses">${answer === undefined ? 'Statuses' : 'Other statuses'}: ${Object.entries(others).map(linkTo).join(' ')}</p></div></details>`;
}

function renderParameter({ name, in: place, required = false, description = '', example, schema }: Parameter): string {
  const facts = [typeOf(schema), ...(place === 'query' ? [] : [place]), ...(required ? ['required'] : [])];
  const given = example === undefined ? '' : ` data-example="${escapeText(String(example))}"`;
  return `<div data-name="${name}" data-in="${place}"${given}><dt><code>${name}</code> <small>${facts.join(', ')}</small></dt><dd><span>${inline(description)}</span></dd></div>`;
}

function renderAnswer({ description = '', content = {} }: Response): string {
  const kinds = Object.entries(content).map(
    ([mediaType, { schema }]) => `<code>${mediaType}</code>${schema ? ` ${typeOf(schema)}` : ''}`,
  );
  const example = Object.values(content).find((one) => one.example !== undefined)?.example;
  return `<h4>Answer</h4><p>${inline(description)} ${kinds.join('; ')}</p>${
    example === undefined ? '' : `<pre>${JSON.stringify(example, null, 2).split('\n').map(escapeText).join('\n')}</pre>`
  }`;
}

function linkTo([status, { $ref }]: [string, Response]): string {
  return $ref === undefined ? status : `<a href="#${nameIn($ref)}">${status}</a>`;
}

function renderResponse([name, { description = '', content = {} }]: [string, Response]): string {
  const examples = Object.values(content).flatMap(({ examples = {} }) => Object.entries(examples));
  const codes = examples.map(([code, { value }]) => {
    // Safe: these are examples of problems.
    const { detail } = value as { detail: string };
    return `<div><dt><code>${code}</code></dt><dd>${escapeText(detail)}</dd></div>`;
  });
  return `<h3 id="${name}">${escapeText(words(name))}</h3><p>${inline(description)}</p>${
    codes.length === 0 ? '' : `<dl class="fields">${codes.join('')}</dl>`
  }`;
}

function renderType([name, schema]: [string, Schema]): string {
  const { description = '', properties, required = [] } = schema;
  const fields = Object.entries(properties ?? {}).map(([field, property]) => {
    const facts = [typeOf(property), ...(required.includes(field) ? [] : ['may be absent'])];
    return `<div><dt><code>${escapeText(field)}</code> <small>${facts.join(', ')}</small></dt><dd>${inline(property.description ?? '')}</dd></div>`;
  });
  const shape = properties === undefined ? `<p>${typeOf(schema)}</p>` : `<dl class="fields">${fields.join('')}</dl>`;
  return `<details class="type"><summary><code>${name}</code></summary><div id="type-${name}"><p>${inline(description)}</p>${shape}</div></details>`;
}

/** A type in words, with links to named ones. */
function typeOf(schema: Schema): string {
  const { $ref, anyOf, type, items, format, minimum, maximum, additionalProperties } = schema;
  if ($ref !== undefined) return `<a href="#type-${nameIn($ref)}">${nameIn($ref)}</a>`;
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (schema.const !== undefined) return `<code>${escapeText(String(schema.const))}</code>`;
  const parts = [
    schema.enum === undefined
      ? [type ?? 'any'].flat().join(' or ')
      : schema.enum.map((value) => `<code>${escapeText(String(value))}</code>`).join(' or '),
  ];
  if (items !== undefined) parts[0] = `array of ${typeOf(items)}`;
  if (typeof additionalProperties === 'object') parts[0] = `object of ${typeOf(additionalProperties)}`;
  if (format !== undefined) parts.push(format);
  if (minimum !== undefined) parts.push(`from ${minimum}`);
  if (maximum !== undefined) parts.push(`to ${maximum}`);
  if (schema.default !== undefined) parts.push(`default <code>${escapeText(String(schema.default))}</code>`);
  return parts.join(', ');
}

/** A command that sends the example of an operation. */
function commandFor({ path, method, operation: { parameters = [], requestBody } }: Placed, base: string): string {
  const given = parameters.filter(({ required, example }) => required && example !== undefined);
  const filled = given
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))), path);
  const query = new URLSearchParams();
  for (const { name, in: place, example } of given) if (place === 'query') query.set(name, String(example));
  const url = `${base}${filled}${query.size === 0 ? '' : `?${query}`}`;
  const [body] = Object.values(requestBody?.content ?? {});
  return method === 'GET' ? `curl "${url}"` : `curl --json '${JSON.stringify(body?.example ?? [])}' "${url}"`;
}

const nameIn = (ref: string) => ref.slice(ref.lastIndexOf('/') + 1);
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const words = (name: string) => capital(name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
/** Long paths may break before a segment. */
const breakable = (path: string) => path.replaceAll('/', '<wbr>/');

/** The paragraphs and lists of a description in Markdown. */
function prose(text: string): string {
  return text
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? `<ul class="points">${block
            .split('\n')
            .map((line) => `<li>${inline(line.slice(2))}</li>`)
            .join('')}</ul>`
        : `<p>${inline(block)}</p>`,
    )
    .join('');
}

/** Code and links of Markdown. */
function inline(text: string): string {
  return escapeText(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\(((?:https:\/|\/|#)[^)]+)\)/g, '<a href="$2">$1</a>');
}
