/** Returns the value of a key, created on first use. Statements are prepared this way, when a request needs them. */
export function getOrCreate<K, V>(values: Map<K, V>, key: K, create: () => V): V {
  const known = values.get(key);
  if (known !== undefined) return known;
  const created = create();
  values.set(key, created);
  return created;
}
