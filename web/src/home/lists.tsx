import type { ResponseOf } from '../api/request.ts';
import type { Loaded } from '../api/use-request.ts';
import { AccountLink, accountPath } from '../components/account-link.tsx';
import { Avatar } from '../components/avatar.tsx';
import { Empty } from '../components/empty.tsx';
import { formatNumber, shortAddress } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { Problem } from '../components/problem.tsx';
import type { Page } from '../leaderboard/order.ts';

interface Props<T> {
  readonly loaded: Loaded<T>;
  readonly length: number;
}

/** The first members of the leaderboard. */
export function TopAccounts({ loaded: { data, error, reload }, length }: Props<Page>) {
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  if (data?.results.length === 0) return <Empty>The leaderboard is empty.</Empty>;
  return (
    <ol class="rows top-accounts" aria-busy={data === undefined}>
      {data === undefined
        ? Array.from({ length }, (_, row) => <li key={row} />)
        : data.results.map((member) => (
            <li key={member.address}>
              <span class="place">{formatNumber(member.followers_rank)}</span>
              <AccountLink address={member.address} name={member.name} avatar={member.avatar} />
              <span class="count">
                <strong>{formatNumber(member.followers)}</strong> <span>followers</span>
              </span>
            </li>
          ))}
    </ol>
  );
}

/** The accounts that were followed most recently. */
export function LatestFollowed({ loaded: { data, error, reload }, length }: Props<ResponseOf<'/discover'>>) {
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  if (data?.latestFollows.length === 0) return <Empty>Nobody has followed anyone yet.</Empty>;
  return (
    <ul class="tiles" aria-busy={data === undefined}>
      {data === undefined
        ? Array.from({ length }, (_, tile) => <li key={tile} />)
        : data.latestFollows.map(({ address, name, avatar, followers }) => (
            <li key={address}>
              <a href={accountPath({ address, name })}>
                <Avatar address={address} src={avatar} />
                <Name name={name || shortAddress(address)} />
                <small>{formatNumber(followers)} followers</small>
              </a>
            </li>
          ))}
    </ul>
  );
}
