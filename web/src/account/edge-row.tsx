import { Component } from 'preact';
import { AccountLink } from '../components/account-link.tsx';
import { formatAge, formatDateTime } from '../components/format.ts';
import type { Edge } from './edge-source.ts';

interface Props {
  readonly edge: Edge;
}

const SHOWN_TAGS = 4;

export class EdgeRow extends Component<Props> {
  /** Thousands of rows stay as they are when a page is added. */
  override shouldComponentUpdate(next: Props): boolean {
    return next.edge !== this.props.edge;
  }

  override render() {
    const { address, name, avatar, states, tags, moreTags, time } = this.props.edge;
    const hidden = tags.slice(SHOWN_TAGS);
    const more = hidden.length + moreTags;
    return (
      <>
        <AccountLink address={address} name={name} avatar={avatar} />
        <span class="edge-facts">
          {states.map(({ label, kind }) => (
            <span key={label} class="chip" data-kind={kind}>
              {label}
            </span>
          ))}
          {tags.slice(0, SHOWN_TAGS).map((tag) => (
            <bdi key={tag} class="chip" title={tag}>
              {tag}
            </bdi>
          ))}
          {more > 0 && (
            <span class="chip" title={hidden.join(', ').slice(0, 1000)}>
              +{more} more
            </span>
          )}
          <time dateTime={time} title={formatDateTime(time)}>
            {formatAge(time)}
          </time>
        </span>
      </>
    );
  }
}
