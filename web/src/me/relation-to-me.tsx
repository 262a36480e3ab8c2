import '../styles/me.css';
import { useMe } from './me.ts';
import { type Relation, useRelation } from './relations.ts';

interface Props {
  readonly address: string;
}

/** How an account and the visitor relate, as far as there is something to say. */
export function RelationToMe({ address }: Props) {
  const isMe = useMe()?.address === address;
  const relation = useRelation(address);
  const labels = isMe ? [{ label: 'You', kind: 'good' }] : relation === undefined ? [] : labelsOf(relation);
  return labels.map(({ label, kind }) => (
    <span key={label} class="relation" data-kind={kind}>
      {label}
    </span>
  ));
}

function labelsOf({ mine, theirs }: Relation) {
  if (mine.follow && theirs.follow) return [{ label: 'Mutual with you', kind: 'good' }];
  return [
    { label: 'You follow', kind: 'good', is: mine.follow },
    { label: 'You block', kind: 'bad', is: mine.block },
    { label: 'You mute', kind: 'warm', is: mine.mute },
    { label: 'Follows you', kind: 'good', is: theirs.follow },
    { label: 'Blocks you', kind: 'bad', is: theirs.block },
    { label: 'Mutes you', kind: 'warm', is: theirs.mute },
  ].filter(({ is }) => is);
}
