import { lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { AccountLink } from '../components/account-link.tsx';
import { Empty } from '../components/empty.tsx';
import { RowsPlaceholder } from '../components/endless.tsx';
import { formatAge, formatDateTime } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { tabPath } from './tabs.tsx';

const COUNT = 6;

/** The newest followers of an account, and the way to all of them. */
export function LatestFollowers({ id }: { readonly id: string }) {
  const request = lookup('/users/{addressOrENS}/followers', { addressOrENS: id, limit: COUNT, include: 'ens' });
  const { data, error, reload } = useRequest(request);
  return (
    <Panel
      title="Latest followers"
      requests={[request]}
      controls={<a href={tabPath(id, 'followers')}>All followers</a>}
    >
      {error !== undefined && <Problem error={error} retry={reload} />}
      {data === undefined && error === undefined && <RowsPlaceholder count={COUNT} />}
      {data?.followers.length === 0 && <Empty>No followers yet.</Empty>}
      <ul class="rows latest-followers" aria-label="Latest followers">
        {data?.followers.map(({ address, ens, updated_at }) => (
          <li key={address}>
            <AccountLink address={address} name={ens?.name} avatar={ens?.avatar} />
            <time dateTime={updated_at} title={formatDateTime(updated_at)}>
              {formatAge(updated_at)}
            </time>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
