export type Relation = 'follow' | 'mute' | 'block';

/** A block outweighs a mute, and either outweighs the follow that it is put on. */
export function relationOf(tags: ReadonlySet<string>): Relation {
  if (tags.has('block')) return 'block';
  return tags.has('mute') ? 'mute' : 'follow';
}
