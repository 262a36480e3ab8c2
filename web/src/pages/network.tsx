import '../styles/network.css';
import { type Status, status } from '../api/status.ts';
import { formatAge, formatDateTime, formatNumber } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { useTitle } from '../components/use-title.ts';
import { ChainCard, Fact } from '../network/chain-card.tsx';
import { Dot, useFreshness } from '../network/freshness-note.tsx';
import { useStatus } from '../network/use-status.ts';

const INTERVAL_MS = 10_000;
const NAME_SOURCES = new Map([['chain', 'ENS, read from the chain']]);
const BADGE_SOURCES = new Map([['poap', 'POAP']]);

export function Network() {
  useTitle('Network');
  const { data, error, at, reload } = useStatus(INTERVAL_MS);
  const { level, text } = useFreshness();
  return (
    <div class="network">
      <header class="page-head">
        <h1>Network</h1>
        <p class="network-now">
          <Dot level={level} />
          <strong>{text}</strong>
          <span class="soft">
            {at === 0
              ? 'Asking for the status'
              : `Checked at ${new Date(at).toLocaleTimeString('en')}, every 10 seconds`}
          </span>
        </p>
      </header>
      {error !== undefined && <Problem error={error} retry={reload} />}
      <Panel title="Chains" requests={[status()]}>
        <div class="chains" aria-busy={data === undefined}>
          {data === undefined ? [1, 2, 3].map((card) => <div key={card} class="chain" />) : <Chains status={data} />}
        </div>
      </Panel>
      <div class="network-columns">
        <Panel title="Graph" requests={[status()]}>
          <dl class="facts" aria-busy={data === undefined}>
            <Counts counts={data?.counts} />
          </dl>
        </Panel>
        <Panel title="Service" requests={[status()]}>
          <dl class="facts" aria-busy={data === undefined}>
            <Fact term="Database" value={data ? (data.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL') : '…'} />
            <Fact term="Leaderboard updated" value={data ? describeTime(data.ranksMadeAt) : '…'} />
            <Fact term="Names from" value={data ? (NAME_SOURCES.get(data.sources.names) ?? 'imports only') : '…'} />
            <Fact term="Badges from" value={data ? (BADGE_SOURCES.get(data.sources.badges) ?? 'imports only') : '…'} />
          </dl>
        </Panel>
      </div>
    </div>
  );
}

function Chains({ status: { chains, chainsNotIndexed, faults } }: { readonly status: Status }) {
  const indexed = [...chains, ...faults].map(({ chainId }) => chainId);
  const ids = [...new Set([...indexed, ...chainsNotIndexed])].sort((a, b) => a - b);
  if (ids.length === 0) return <p class="empty">No chain has been read or imported yet.</p>;
  return ids.map((id) => (
    <ChainCard
      key={id}
      chainId={id}
      chain={chains.find(({ chainId }) => chainId === id)}
      fault={faults.find(({ chainId }) => chainId === id)}
      isIndexed={!chainsNotIndexed.includes(id)}
    />
  ));
}

const COUNTS = [
  ['follows', 'Follows'],
  ['accounts', 'Accounts'],
  ['lists', 'Lists'],
  ['ranked', 'On the leaderboard'],
  ['logs', 'Events read from the chains'],
  ['unfoldedLogs', 'Events not yet in the graph'],
  ['ignoredOps', 'Invalid changes of lists, ignored'],
] as const;

function Counts({ counts }: { readonly counts: Status['counts'] | undefined }) {
  return COUNTS.map(([key, label]) => (
    <Fact key={key} term={label} value={counts === undefined ? '…' : formatNumber(counts[key])} />
  ));
}

function describeTime(time: string | null): string {
  return time === null ? 'not yet' : `${formatAge(time)} (${formatDateTime(time)})`;
}
