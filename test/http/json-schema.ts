/** The subset of JSON Schema that the response schemas use. */
export interface JsonSchema {
  readonly type?: string;
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
