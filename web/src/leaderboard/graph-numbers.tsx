import '../styles/leaderboard.css';
import { graphStats } from '../api/graph-requests.ts';
import { status } from '../api/status.ts';
import { useRequest } from '../api/use-request.ts';
import { formatNumber } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { useStatus } from '../network/use-status.ts';

const INTERVAL_MS = 60_000;

/** The numbers of the whole graph. */
export function GraphNumbers() {
  const stats = useRequest(graphStats());
  const { data, error: statusError } = useStatus(INTERVAL_MS);
  const counts = stats.data?.stats;
  const format = (value: number | string | undefined, missing = '\u00a0') =>
    value === undefined ? missing : formatNumber(value);
  const numbers = [
    // Refreshed by itself, so it needs no button to try again.
    ['Follows', format(data?.counts.follows, statusError === undefined ? '\u00a0' : 'unknown')],
    ['Accounts in lists', format(counts?.address_count)],
    ['Accounts with a list', format(counts?.user_count)],
    ['Lists', format(counts?.list_count)],
    ['Changes of lists', format(counts?.list_op_count)],
  ] as const;
  return (
    <Panel title="The whole graph" requests={[graphStats(), status()]}>
      {stats.error !== undefined ? (
        <Problem error={stats.error} retry={stats.reload} />
      ) : (
        <dl class="numbers">
          {numbers.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </Panel>
  );
}
