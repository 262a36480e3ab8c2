/** The part of JSON Schema that answers are described with. */
export interface JsonSchema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>;
}

/** A schema as it is written down, without what its library keeps beside it. */
export function asJson(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema));
}

/** The types of what `schema` allows, in the form that `typesOf` gives them. */
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

/** A map of texts: JSON Schema and OpenAPI write it differently. */
function isMap({ patternProperties = {}, additionalProperties }: JsonSchema): boolean {
  const values = [...Object.values(patternProperties), additionalProperties];
  return values.some((value) => typeof value === 'object' && value.type === 'string');
}

/** Paths of the objects that let other fields in, or do without some of their own. */
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
