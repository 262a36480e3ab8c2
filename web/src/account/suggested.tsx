import { lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { AccountLink } from '../components/account-link.tsx';
import { Empty } from '../components/empty.tsx';
import { RowsPlaceholder } from '../components/endless.tsx';
import { formatNumber } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { useInView } from './use-in-view.ts';

const COUNT = 5;

interface Props {
  readonly address: string;
  /** Of the account, or its short address. */
  readonly name: string;
  /** How many accounts it follows. */
  readonly following: number;
}

/** Accounts that an account might follow. They are loaded when they are seen. */
export function Suggested({ address, name, following }: Props) {
  const [ref, isSeen] = useInView<HTMLDivElement>();
  const request = lookup('/users/{addressOrENS}/recommended/details', { addressOrENS: address, limit: COUNT });
  const { data, error, reload } = useRequest(isSeen ? request : null);
  return (
    <Panel title="Suggested accounts" requests={[request]}>
      <div ref={ref} class="suggested">
        <p class="soft">
          {following === 0 ? (
            <>
              <Name name={name} /> follows nobody, so these are the most followed accounts.
            </>
          ) : (
            <>
              Followed by many of the accounts that <Name name={name} /> follows, but not by <Name name={name} />{' '}
              itself. If there are none, these are the most followed accounts.
            </>
          )}
        </p>
        {error !== undefined && <Problem error={error} retry={reload} />}
        {data === undefined && error === undefined && <RowsPlaceholder count={COUNT} />}
        {data?.recommended.length === 0 && <Empty>No account to suggest.</Empty>}
        <ul class="rows" aria-label="Suggested accounts">
          {data?.recommended.map(({ address: suggested, ens, stats }) => (
            <li key={suggested}>
              <AccountLink address={suggested} name={ens.name} avatar={ens.avatar} />
              <small>
                {formatNumber(stats.followers_count)} {stats.followers_count === 1 ? 'follower' : 'followers'}
              </small>
            </li>
          ))}
        </ul>
      </div>
    </Panel>
  );
}
