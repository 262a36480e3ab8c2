/** The position of a relation is its code in the database. */
export const RELATIONS = ['follow', 'mute', 'block'] as const;
export type Relation = (typeof RELATIONS)[number];
export const RELATION_CODES = { follow: 0, mute: 1, block: 2 } as const satisfies Record<Relation, number>;

/** The tag block takes precedence over the tag mute, and both over the follow that they are put on. */
export function relationOf(tags: ReadonlySet<string>): Relation {
  if (tags.has('block')) return 'block';
  return tags.has('mute') ? 'mute' : 'follow';
}
