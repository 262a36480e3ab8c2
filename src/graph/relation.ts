export type Relation = 'follow' | 'mute' | 'block';

/** The tag block takes precedence over the tag mute, and both over the follow that they are put on. */
export function relationOf(tags: ReadonlySet<string>): Relation {
  if (tags.has('block')) return 'block';
  return tags.has('mute') ? 'mute' : 'follow';
}
