/** The position of a relation is its code in the database. */
export const RELATIONS = ['follow', 'mute', 'block'] as const;
export type Relation = (typeof RELATIONS)[number];
export const RELATION_CODES = { follow: 0, mute: 1, block: 2 } as const satisfies Record<Relation, number>;

/** Tags that make a relation other than a follow. */
export const isRelationTag = (tag: string): tag is Exclude<Relation, 'follow'> => tag === 'block' || tag === 'mute';

/** The tag block takes precedence over the tag mute, and both over the follow that they are put on. */
export function relationOf(tags: ReadonlySet<string>): Relation {
  if (tags.has('block')) return 'block';
  return tags.has('mute') ? 'mute' : 'follow';
}

/** `edges.back` of an edge whose target has no edge to the source; the other values are one above the codes. */
const NO_BACK = 0;

/** The relation of a reverse edge, as `edges.back` holds it. */
export function backCode(relation: Relation | null): number {
  return relation === null ? NO_BACK : RELATION_CODES[relation] + 1;
}

/** The inverse of `backCode`. */
export function backRelation(code: number): Relation | null {
  return RELATIONS[code - 1] ?? null;
}
