import type { ComponentChildren } from 'preact';
import { Name } from '../components/name.tsx';

interface Props {
  readonly action: string;
  readonly tag: string;
  /** Whether the account beside the sentence is the one that it was done to. */
  readonly isDone?: boolean;
  /** The name of the other account. */
  readonly other: string;
  /** The path of its page, unless the sentence is on it. */
  readonly href?: string;
}

/** What an account did to another one, as a sentence beside one of the two. */
export function Deed({ action, tag, isDone = false, other, href }: Props) {
  const name = href === undefined ? <Name name={other} /> : <a href={href}>{<Name name={other} />}</a>;
  return <p>{(isDone ? received : done)(action, <TagChip tag={tag} />, name)}</p>;
}

function TagChip({ tag }: Pick<Props, 'tag'>) {
  const kind = tag === 'block' || tag === 'mute' ? 'bad' : tag === 'top8' ? 'warm' : 'good';
  return (
    <bdi class="chip" data-kind={kind}>
      {tag}
    </bdi>
  );
}

function done(action: string, chip: ComponentChildren, name: ComponentChildren): ComponentChildren {
  if (action === 'follow') return <>followed {name}</>;
  if (action === 'unfollow') return <>unfollowed {name}</>;
  if (action === 'tag') {
    return (
      <>
        tagged {name} with {chip}
      </>
    );
  }
  return (
    <>
      removed the tag {chip} from {name}
    </>
  );
}

function received(action: string, chip: ComponentChildren, name: ComponentChildren): ComponentChildren {
  if (action === 'follow') return <>followed by {name}</>;
  if (action === 'unfollow') return <>unfollowed by {name}</>;
  if (action === 'tag') {
    return (
      <>
        tagged with {chip} by {name}
      </>
    );
  }
  return (
    <>
      no longer tagged with {chip} by {name}
    </>
  );
}
