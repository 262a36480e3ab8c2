import { isolate } from '../../components/format.ts';
import type { Relation } from './neighbourhood.ts';

const TEXTS: Record<Relation, (subject: string) => string> = {
  mutual: (subject) => `Mutual with ${subject}`,
  out: (subject) => `Followed by ${subject}`,
  in: (subject) => `Follows ${subject}`,
  none: (subject) => `No follow from or to ${subject}`,
  viewer: () => 'The viewer',
};

export const RELATIONS = Object.keys(TEXTS) as readonly Relation[];

/** How an account relates to the centre or the viewer. */
export const describeRelation = (relation: Relation, subject: string): string => TEXTS[relation](isolate(subject));
