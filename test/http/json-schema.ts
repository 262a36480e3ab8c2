/** The subset of JSON Schema that the response schemas use. */
export interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
}

/** The plain JSON of a schema, without TypeBox's symbols. */
export function asJson(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema));
}

interface Document {
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** An OpenAPI document with the components themselves in place of the references to them. */
export function inlineReferences<D extends Document>(document: D): D {
  const inline = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (_, part) => {
      const [, kind = '', name = ''] = /^#\/components\/(\w+)\/([\w-]+)$/.exec(part?.$ref ?? '') ?? [];
      return name === '' ? part : inline(document.components[kind]?.[name] ?? {});
    });
  // Safe: a reference stands for its schema.
  return inline(document) as D;
}

/** The types that `schema` allows, in the form that `typesOf` returns. */
export function typesOfSchema(schema: JsonSchema): unknown {
  if (schema.anyOf !== undefined) {
    const [value, none, ...more] = schema.anyOf;
    const isNullOr = value !== undefined && none?.type === 'null' && more.length === 0;
    return isNullOr ? { nullOr: typesOfSchema(value) } : schema.anyOf.map(typesOfSchema);
  }
  if (schema.type === 'array') return [typesOfSchema(schema.items ?? {})];
  if (schema.type !== 'object') return schema.type;
  if (schema.properties === undefined) return isMap(schema) ? 'map' : 'object';
  return Object.fromEntries(Object.entries(schema.properties).map(([name, field]) => [name, typesOfSchema(field)]));
}

/** A map of strings, which JSON Schema and OpenAPI express differently. */
function isMap({ patternProperties = {}, additionalProperties }: JsonSchema): boolean {
  const values = [...Object.values(patternProperties), additionalProperties];
  return values.some((value) => typeof value === 'object' && value.type === 'string');
}

/** The schema without what few entries have: those with more than a hundred tags, and those that a search guesses. */
export function withoutRareFields(schema: JsonSchema): JsonSchema {
  const isRare = (name: string) => name === 'more_tags' || name === 'guess';
  return JSON.parse(JSON.stringify(schema), (name, value) => (isRare(name) ? undefined : value));
}

/** Paths of the objects that allow additional properties or have optional ones. */
export function looseObjects(schema: JsonSchema, path = '$'): string[] {
  const { properties = {}, items, anyOf = [] } = schema;
  const names = Object.keys(properties);
  const required = new Set(schema.required);
  const isLoose = schema.additionalProperties !== false || names.some((name) => !required.has(name));
  return [
    ...(schema.properties !== undefined && isLoose ? [path] : []),
    ...names.flatMap((name) => looseObjects(properties[name] ?? {}, `${path}.${name}`)),
    ...(items === undefined ? [] : looseObjects(items, `${path}[]`)),
    ...anyOf.flatMap((option) => looseObjects(option, path)),
  ];
}

/** What of `value` a schema does not allow, each with its path. */
export function violations(value: unknown, schema: JsonSchema, path = '$'): string[] {
  const { properties = {}, items, anyOf, additionalProperties } = schema;
  if (anyOf !== undefined) {
    const options = anyOf.map((option) => violations(value, option, path));
    return options.find((found) => found.length === 0) ?? options.flat();
  }
  if (!isOfType(value, schema.type)) return [`${path} is not of type ${schema.type}`];
  if (schema.enum?.includes(value) === false) return [`${path} is not one of ${schema.enum.join(', ')}`];
  if (Array.isArray(value)) return value.flatMap((one, i) => violations(one, items ?? {}, `${path}[${i}]`));
  if (typeof value !== 'object' || value === null) return [];
  const missing = (schema.required ?? []).filter((name) => !(name in value));
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, field]) => {
      const known = properties[name] ?? additionalProperties;
      return typeof known === 'object' ? violations(field, known, `${path}.${name}`) : [`${path}.${name} is unknown`];
    }),
  ];
}

function isOfType(value: unknown, type: string | undefined): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}
