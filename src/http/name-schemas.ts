interface Document {
  readonly paths?: unknown;
  readonly components?: object;
}

/** Moves the schemas that have a title to `components`, so that types that are generated from the document have names. */
export function nameSchemas<D extends Document>(document: D): D {
  const schemas: Record<string, object> = {};
  const move = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(move);
    if (typeof value !== 'object' || value === null) return value;
    const { title, ...moved } = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, move(part)]));
    // A property of a schema may be called title, too.
    if (typeof title !== 'string') return title === undefined ? moved : { ...moved, title };
    schemas[title] ??= moved;
    if (JSON.stringify(schemas[title]) !== JSON.stringify(moved)) throw new Error(`two schemas are called ${title}`);
    return { $ref: `#/components/schemas/${title}` };
  };
  const paths = move(document.paths);
  return { ...document, paths, components: { ...document.components, schemas } };
}
