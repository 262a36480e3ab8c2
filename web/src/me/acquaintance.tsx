import '../styles/me.css';
import { lookup } from '../api/request.ts';
import type { Details } from '../api/subject.ts';
import { useRequest } from '../api/use-request.ts';
import { accountPath } from '../components/account-link.tsx';
import { Avatar } from '../components/avatar.tsx';
import { formatNumber, shortAddress } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { Problem } from '../components/problem.tsx';
import { STATUS_INTERVAL_MS, useStatus } from '../network/use-status.ts';
import { type Me, setMe, useMe } from './me.ts';
import { RelationToMe } from './relation-to-me.tsx';

interface Props {
  /** The name or address in the URL. */
  readonly id: string;
  /** Undefined until it is known. */
  readonly address: string | undefined;
  readonly ens: Details['ens'] | undefined;
}

/** What the visitor has to do with the account of a page, and where they can follow it. */
export function Acquaintance({ id, address, ens }: Props) {
  const me = useMe();
  const name = ens?.name ?? '';
  return (
    <div class="acquaintance">
      <FollowOnEfp id={name || address || id} />
      {me === null && address !== undefined && (
        <button type="button" class="quiet" onClick={() => setMe({ address, name, avatar: ens?.avatar ?? '' })}>
          This is me
        </button>
      )}
      {address !== undefined && <RelationToMe address={address} />}
      {me !== null && me.address !== address && <FollowedBy me={me} address={address} name={name || id} />}
    </div>
  );
}

function FollowOnEfp({ id }: { readonly id: string }) {
  const { data, error } = useStatus(STATUS_INTERVAL_MS);
  if (data?.isDemo) return <span class="soft">Generated, not on EFP</span>;
  return (
    <a
      class="efp-link"
      // Until it is known whether the account is real.
      data-pending={data === undefined && error === undefined}
      href={`https://efp.app/${encodeURIComponent(id)}`}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      Follow on EFP <span aria-hidden="true">↗</span>
    </a>
  );
}

const SHOWN = 2;

interface FollowedByProps {
  readonly me: Me;
  readonly address: string | undefined;
  /** Or the address. */
  readonly name: string;
}

/** The accounts that the visitor follows and that follow the account. */
function FollowedBy({ me, address, name }: FollowedByProps) {
  const { data, error, reload } = useRequest(
    address === undefined
      ? null
      : lookup('/users/{addressOrENS}/commonFollowers', { addressOrENS: me.address, leader: address, limit: SHOWN }),
  );
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  // Empty, it keeps its place.
  if (data === undefined || address === undefined) return <p class="followed-by" />;
  if (data.length === 0) return <p class="followed-by">Followed by nobody you follow</p>;
  const others = data.length - data.results.length;
  const all = `${accountPath({ address, name })}?with=${encodeURIComponent(me.name || me.address)}`;
  return (
    <p class="followed-by">
      <span class="followed-by-avatars" aria-hidden="true">
        {data.results.map((account) => (
          <Avatar key={account.address} address={account.address} src={account.avatar} />
        ))}
      </span>
      <span>
        Followed by{' '}
        {data.results.map((account, index) => (
          <span key={account.address}>
            {index > 0 && (others > 0 ? ', ' : ' and ')}
            <a href={accountPath(account)}>
              <Name name={account.name || shortAddress(account.address)} />
            </a>
          </span>
        ))}
        {others > 0 ? (
          <>
            {' and '}
            <a href={all}>
              {formatNumber(others)} {others === 1 ? 'other' : 'others'}
            </a>{' '}
            you follow
          </>
        ) : (
          ', whom you follow'
        )}
      </span>
    </p>
  );
}
