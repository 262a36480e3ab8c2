import { useLocation } from 'preact-iso';
import '../styles/leaderboard.css';
import { rankedLeaderboard } from '../api/graph-requests.ts';
import { PAGE, usePages } from '../api/use-pages.ts';
import { formatAge, formatDateTime } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { useTitle } from '../components/use-title.ts';
import { GraphNumbers } from '../leaderboard/graph-numbers.tsx';
import { COLUMNS, type Column, type Order, orderAfter, orderOf, type Page, pathOf } from '../leaderboard/order.ts';
import { RankTable } from '../leaderboard/rank-table.tsx';

const membersIn = ({ results }: Page) => results;

export function Leaderboard() {
  useTitle('Leaderboard');
  const { query, route } = useLocation();
  const order = orderOf(query);
  const pages = usePages({
    first: rankedLeaderboard({ ...order, limit: PAGE }),
    entriesIn: membersIn,
    keyOf: ({ address }) => address,
  });
  const show = (next: Order) => {
    route(pathOf(next));
    // Another order starts at its first row.
    scrollTo(0, 0);
  };
  return (
    <div class="leaderboard">
      <header class="page-head">
        <h1>Leaderboard</h1>
        <RankedAt time={pages.entries[0]?.updated_at} />
      </header>
      <GraphNumbers />
      <Panel
        title="Accounts"
        requests={[pages.request]}
        controls={<SortChoice sort={order.sort} onSort={(sort) => show({ sort, direction: 'desc' })} />}
      >
        <RankTable pages={pages} order={order} onSort={(column) => show(orderAfter(order, column))} />
      </Panel>
    </div>
  );
}

function RankedAt({ time }: { readonly time: string | undefined }) {
  return (
    <p class="soft">
      {time === undefined ? (
        'Ranks and counts are as of the last ranking.'
      ) : (
        <>
          Ranks and counts are as of the last ranking,{' '}
          <time dateTime={time} title={formatDateTime(time)}>
            {formatAge(time)}
          </time>
          .
        </>
      )}
    </p>
  );
}

/** The headers of a narrow table are hidden, but for the sorted one. */
function SortChoice({ sort, onSort }: { readonly sort: Column; readonly onSort: (sort: Column) => void }) {
  const choose = (value: string) => onSort(orderOf({ sort: value }).sort);
  return (
    <label class="sort-choice">
      <span class="soft">Sorted by</span>
      <select value={sort} onChange={(event) => choose(event.currentTarget.value)}>
        {COLUMNS.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
