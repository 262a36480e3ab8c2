import '../styles/leaderboard.css';
import { graphStats } from '../api/graph-requests.ts';
import { useRequest } from '../api/use-request.ts';
import { formatNumber } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { useStatus } from '../network/use-status.ts';

const INTERVAL_MS = 60_000;

/** The numbers of the whole graph. */
export function GraphNumbers() {
  const { data, error, reload } = useRequest(graphStats());
  const status = useStatus(INTERVAL_MS);
  if (error !== undefined) return <Problem error={error} retry={reload} />;
  const stats = data?.stats;
  const numbers = [
    ['Follows', status.data?.counts.follows],
    ['Addresses in lists', stats?.address_count],
    ['List recipients', stats?.user_count],
    ['Lists', stats?.list_count],
    ['List operations', stats?.list_op_count],
  ] as const;
  return (
    <dl class="numbers">
      {numbers.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value === undefined ? ' ' : formatNumber(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
