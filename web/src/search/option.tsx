import { accountPath } from '../components/account-link.tsx';
import { Avatar } from '../components/avatar.tsx';
import { formatNumber, shortAddress } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { RelationToMe } from '../me/relation-to-me.tsx';
import { indexIn, Marked } from './marked.tsx';
import type { Target } from './meaning.ts';
import type { Match } from './use-search.ts';

/** A line of the results: what the text names exactly, a match, or both in one. */
export interface Option {
  readonly path: string;
  readonly target: Target | null;
  readonly match: Match | null;
}

export function optionsOf(target: Target | null, matches: readonly Match[]): readonly Option[] {
  const isTarget = ({ address, name }: Match) =>
    target !== null && target.kind !== 'List' && (address === target.id || name === target.id.toLowerCase());
  const rest = matches.filter((match) => !isTarget(match));
  const first = target && [{ path: target.path, target, match: matches.find(isTarget) ?? null }];
  return [...(first ?? []), ...rest.map((match) => ({ path: accountPath(match), target: null, match }))];
}

interface Props {
  readonly option: Option;
  readonly id: string;
  readonly isActive: boolean;
  readonly isLink: boolean;
  readonly term: string;
  onPoint(): void;
  onChoose(option: Option): void;
}

export function OptionRow({ option, id, isActive, isLink, term, onPoint, onChoose }: Props) {
  const { path, target, match } = option;
  const onClick = (event: MouseEvent) => {
    // Other clicks open the link elsewhere.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    // The router would navigate as well.
    event.stopPropagation();
    onChoose(option);
  };
  const row = {
    id,
    class: 'search-option',
    role: 'option',
    tabIndex: -1,
    'aria-selected': isActive,
    // The field keeps the focus, or the results would close before the click.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onMouseMove: onPoint,
    onClick,
  } as const;
  const content = (
    <>
      <Picture target={target} match={match} />
      <span class="account-name">
        {target !== null && <TargetName target={target} />}
        {match?.name && target?.kind !== 'Name' && <Name name={match.name} term={term} />}
        {match !== null && (
          <span class="account-line">
            {target?.kind !== 'Account' && <Address match={match} term={term} />}
            <RelationToMe address={match.address} />
          </span>
        )}
      </span>
      {match?.guess && (
        <span class="chip" data-kind="warm">
          Similar name
        </span>
      )}
      {match !== null && (
        <span class="search-count">
          {formatNumber(match.followers)} <span>{match.followers === '1' ? 'follower' : 'followers'}</span>
        </span>
      )}
    </>
  );
  return isLink ? (
    <a {...row} href={path}>
      {content}
    </a>
  ) : (
    <div {...row}>{content}</div>
  );
}

function Picture({ target, match }: Pick<Option, 'target' | 'match'>) {
  const address = match?.address ?? (target?.kind === 'Account' ? target.id : null);
  if (address !== null) return <Avatar address={address} src={match?.avatar} />;
  return (
    <span class="search-sign" aria-hidden="true">
      {target?.kind === 'List' ? '#' : '→'}
    </span>
  );
}

function TargetName({ target: { kind, id } }: { readonly target: Target }) {
  return (
    <span>
      <span class="soft">{kind}</span> {kind === 'Account' ? <span class="address">{id}</span> : <Name name={id} />}
    </span>
  );
}

/** The whole address if it is why the account matches and its short form does not show that. */
function Address({ match: { name, address }, term }: { readonly match: Match; readonly term: string }) {
  const short = shortAddress(address);
  const isShort = indexIn(name, term) !== -1 || indexIn(short, term) !== -1 || indexIn(address, term) === -1;
  return (
    <span class="address" data-whole={!isShort}>
      <Marked text={isShort ? short : address} term={term} />
    </span>
  );
}
