import { AccountLink } from '../../components/account-link.tsx';
import { formatNumber } from '../../components/format.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { neighboursOf } from './neighbours.ts';
import type { Active } from './picture.ts';
import { describeRelation } from './relations.ts';

interface Props {
  readonly neighbourhood: Neighbourhood;
  readonly active: Active;
  readonly subject: string;
  canExpand(address: string): boolean;
  onExpand(index: number): void;
  onView(viewer: string): void;
}

/** The account that is pointed at or selected. It is below the picture, where it covers no node. */
export function Card({ neighbourhood, active: { index, isSelected }, subject, canExpand, onExpand, onView }: Props) {
  const node = index === null ? undefined : neighbourhood.nodes[index];
  const { follows, followedBy } = neighboursOf(neighbourhood, index ?? -1);
  return (
    <div class="graph-card">
      <div class="graph-card-text" role="status">
        {node === undefined ? (
          <span>Point at an account to see whom it follows here. Select it for more.</span>
        ) : (
          <>
            <AccountLink address={node.address} name={node.name} avatar={node.avatar} />
            <span>
              {index !== 0 && `${describeRelation(node.relation, subject)}. `}
              {formatNumber(node.followers)} {node.followers === 1 ? 'follower' : 'followers'}. Follows {follows.length}{' '}
              and is followed by {followedBy.length} of these.
            </span>
          </>
        )}
      </div>
      {node !== undefined && index !== null && isSelected && (
        <div class="graph-card-buttons">
          <button type="button" disabled={!canExpand(node.address)} onClick={() => onExpand(index)}>
            Expand
          </button>
          <button type="button" onClick={() => onView(node.name || node.address)}>
            View as
          </button>
        </div>
      )}
    </div>
  );
}
