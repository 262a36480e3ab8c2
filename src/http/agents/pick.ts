/**
 * What a tool shows of an answer: names of properties, which may be inside other objects as in `ens/name`, and objects or
 * arrays of objects of which a part is shown.
 */
export type Shape = readonly (string | Readonly<Record<string, Shape>>)[];

/** The part of JSON Schema that answers use. */
interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

/** Longer texts are cut: a model reads all of a result. */
const MAX_TEXT = 500;

/** A model reads the list of tools with every conversation; the results of a tool explain themselves. */
const LEFT_OUT = ['title', 'description', 'pattern', 'format'];

/** The schema of what `pick` returns for an answer with this schema. */
export function pickSchema(given: object, shape: Shape): object {
  const short = JSON.stringify(given, (key, value) =>
    LEFT_OUT.includes(key) && typeof value === 'string' ? undefined : value,
  );
  // Safe: it is a schema of TypeBox.
  return objectSchema(JSON.parse(short) as Schema, shape);
}

function objectSchema(schema: Schema, shape: Shape): object {
  const properties: Record<string, object> = {};
  const required: string[] = [];
  for (const [name, path, inner] of entriesOf(shape)) {
    const found = path.reduce(step, { schema, isRequired: true, isNullable: false });
    const property = inner === null ? found.schema : partSchema(found.schema, inner);
    properties[name] = found.isNullable ? { anyOf: [property, { type: 'null' }] } : property;
    if (found.isRequired) required.push(name);
  }
  return { type: 'object', properties, required, additionalProperties: false };
}

function partSchema(schema: Schema, shape: Shape): object {
  return schema.items === undefined
    ? objectSchema(schema, shape)
    : { type: 'array', items: objectSchema(schema.items, shape) };
}

interface Step {
  readonly schema: Schema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
}

function step({ schema, isRequired, isNullable }: Step, name: string): Step {
  const object = schema.anyOf?.find(({ type }) => type === 'object') ?? schema;
  const { properties = {}, additionalProperties: others } = object;
  const found = properties[name] ?? (typeof others === 'object' ? others : undefined);
  if (found === undefined) throw new Error(`an answer has no property ${name}`);
  return {
    schema: found,
    isRequired: isRequired && (object.required ?? []).includes(name),
    isNullable: isNullable || object !== schema,
  };
}

function entriesOf(shape: Shape): [name: string, path: string[], inner: Shape | null][] {
  return shape.flatMap((part) => {
    if (typeof part !== 'string') return Object.entries(part).map(([name, inner]) => entryOf(name, inner));
    return [entryOf(part, null)];
  });
}

function entryOf(text: string, inner: Shape | null): [string, string[], Shape | null] {
  const path = text.split('/');
  return [path.at(-1) ?? '', path, inner];
}

/** The part of an answer that a shape names. What is absent stays absent. */
export function pick(value: unknown, shape: Shape): Readonly<Record<string, unknown>> {
  const picked: Record<string, unknown> = {};
  for (const [name, path, inner] of entriesOf(shape)) {
    let found: unknown = value;
    // Safe: the path is one of the schema.
    for (const key of path) found &&= (found as Record<string, unknown>)[key];
    if (found === undefined) continue;
    if (inner === null) picked[name] = cut(found);
    else picked[name] = Array.isArray(found) ? found.map((item) => pick(item, inner)) : pick(found, inner);
  }
  return picked;
}

function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cut);
  return typeof value === 'string' && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT).toWellFormed()}…` : value;
}
