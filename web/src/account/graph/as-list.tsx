import { Fragment } from 'preact';
import { useState } from 'preact/hooks';
import { AccountLink } from '../../components/account-link.tsx';
import { shortAddress } from '../../components/format.ts';
import { Name } from '../../components/name.tsx';
import type { Neighbourhood, Node } from './neighbourhood.ts';
import { followsOfAll } from './neighbours.ts';
import { describeRelation } from './relations.ts';

interface Props {
  readonly neighbourhood: Neighbourhood;
  /** Whom the relations are about. */
  readonly subject: string;
  onHighlight(index: number | null): void;
}

/** The content of the picture as text. */
export function AsList({ neighbourhood, subject, onHighlight }: Props) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details class="graph-list" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>As a list</summary>
      {isOpen && (
        <ul class="rows" aria-label="Accounts, and whom they follow among these">
          {followsOfAll(neighbourhood).map((follows, index) => {
            const node = neighbourhood.nodes[index];
            if (node === undefined) return null;
            return (
              <li
                key={node.address}
                onMouseEnter={() => onHighlight(index)}
                onMouseLeave={() => onHighlight(null)}
                onFocusCapture={() => onHighlight(index)}
                onBlurCapture={() => onHighlight(null)}
              >
                <AccountLink address={node.address} name={node.name} avatar={node.avatar} />
                {index > 0 && <p>{describeRelation(node.relation, subject)}</p>}
                <Follows accounts={follows} />
              </li>
            );
          })}
        </ul>
      )}
    </details>
  );
}

function Follows({ accounts }: { readonly accounts: readonly Node[] }) {
  if (accounts.length === 0) return <p>Follows none of these.</p>;
  return (
    <p>
      Follows {accounts.length}:{' '}
      {accounts.map(({ address, name }, index) => (
        <Fragment key={address}>
          {index > 0 && ', '}
          <Name name={name || shortAddress(address)} />
        </Fragment>
      ))}
    </p>
  );
}
