import { useRef, useState } from 'preact/hooks';
import { batch, lookup, type ResponseOf } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { AccountLink } from '../components/account-link.tsx';
import { Empty } from '../components/empty.tsx';
import { RowsPlaceholder } from '../components/endless.tsx';
import { formatAge, formatDateTime } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { NewRows } from '../live/new-rows.tsx';
import { tabPath } from './tabs.tsx';

const COUNT = 6;
/** Of the follows, some were taken back: more are asked for if too few are left. */
const FEW = 24;
const MANY = 500;

type Follow = ResponseOf<'/users/{addressOrENS}/notifications'>['notifications'][number];

/** Who has followed an account lately and still does, and the way to all followers. */
export function LatestFollowers({ id }: { readonly id: string }) {
  const few = useLatestFollows(id, FEW);
  const needsMany = few.follows !== undefined && few.isPart && few.follows.length < COUNT;
  const many = useLatestFollows(needsMany ? id : null, MANY);
  const { follows, isPart, error, requests, reload } = needsMany ? many : few;
  const [seen, setSeen] = useState<readonly Follow[]>();
  if (follows !== undefined && seen === undefined) setSeen(follows);
  // Older ones that come in after another was taken back are not new.
  const isNew = (follow: Follow) =>
    seen !== undefined &&
    follow.updated_at >= (seen.at(-1)?.updated_at ?? '') &&
    !seen.some(({ address, updated_at }) => address === follow.address && updated_at === follow.updated_at);
  const count = follows?.filter(isNew).length ?? 0;
  const list = useRef<HTMLUListElement>(null);
  return (
    <Panel title="Latest followers" requests={requests} controls={<a href={tabPath(id, 'followers')}>All followers</a>}>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {follows === undefined && error === undefined && <RowsPlaceholder count={COUNT} />}
      <NewRows
        count={count}
        isMore={isPart && count === follows?.length}
        noun="follower"
        onShow={() => {
          setSeen(follows);
          list.current?.focus();
        }}
      />
      {follows?.length === 0 && <Empty>No followers yet.</Empty>}
      <ul ref={list} tabIndex={-1} class="rows latest-followers" aria-label="Latest followers">
        {follows
          ?.filter((follow) => !isNew(follow))
          .slice(0, COUNT)
          .map(({ address, name, avatar, updated_at }) => (
            <li key={address}>
              <AccountLink address={address} name={name} avatar={avatar} />
              <time dateTime={updated_at} title={formatDateTime(updated_at)}>
                {formatAge(updated_at)}
              </time>
            </li>
          ))}
      </ul>
    </Panel>
  );
}

/** The last follow of each account that still follows, newest first. */
function useLatestFollows(id: string | null, limit: number) {
  const addressOrENS = id ?? '';
  const received = lookup('/users/{addressOrENS}/notifications', { addressOrENS, opcode: 1, interval: 'all', limit });
  const notified = useRequest(id === null ? null : received);
  const last = new Map<string, Follow>();
  for (const follow of notified.data?.notifications ?? [])
    if (!last.has(follow.address)) last.set(follow.address, follow);
  const states = last.size === 0 ? null : batch('/accounts', { viewer: addressOrENS }, [...last.keys()]);
  const accounts = useRequest(states);
  const known = useRef<readonly Follow[] | undefined>(undefined);
  if (notified.data !== undefined && (states === null || accounts.data !== undefined)) {
    const followers = new Set(
      accounts.data?.map((account) => (account?.follower_state?.follow === true ? account.address : undefined)),
    );
    known.current = [...last.values()].filter(({ address }) => followers.has(address));
  }
  return {
    follows: known.current,
    isPart: notified.data?.notifications.length === limit,
    error: notified.error ?? accounts.error,
    requests: [received, states],
    reload() {
      notified.reload();
      accounts.reload();
    },
  };
}
