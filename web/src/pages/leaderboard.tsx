import { useLocation } from 'preact-iso';
import '../styles/leaderboard.css';
import { rankedLeaderboard, searchLeaderboard } from '../api/graph-requests.ts';
import { PAGE, usePages } from '../api/use-pages.ts';
import { FilterField } from '../components/filter-field.tsx';
import { formatAge, formatDateTime, formatNumber } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { useTitle } from '../components/use-title.ts';
import { GraphNumbers } from '../leaderboard/graph-numbers.tsx';
import { MyRow } from '../leaderboard/my-row.tsx';
import { COLUMNS, type Column, type Order, orderAfter, orderOf, type Page, pathOf } from '../leaderboard/order.ts';
import { RankTable } from '../leaderboard/rank-table.tsx';

const membersIn = ({ results }: Page) => results;

export function Leaderboard() {
  useTitle('Leaderboard');
  const { query, route } = useLocation();
  const order = orderOf(query);
  const pages = usePages({
    first:
      order.term === ''
        ? rankedLeaderboard({
            sort: order.sort,
            direction: order.direction,
            limit: PAGE,
            ...(order.from > 0 && { offset: order.from }),
          })
        : searchLeaderboard({ term: order.term, limit: PAGE }),
    entriesIn: membersIn,
    keyOf: ({ address }) => address,
  });
  const show = (change: Partial<Order>) => {
    route(pathOf({ ...order, from: 0, ...change }), change.term !== undefined);
    // Another order starts at its first row. The field of the term stays where it is.
    if (change.term === undefined) scrollTo(0, 0);
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
        controls={<SortChoice order={order} onSort={(sort) => show({ sort, direction: 'desc' })} />}
      >
        <div class="ranks-filter">
          <FilterField label="Filter by name" term={order.term} onChange={(term) => show({ term })} />
          {order.term !== '' && <p class="soft">Best matches first.</p>}
          {order.from > 0 && (
            <p class="soft">
              Without the first {formatNumber(order.from)}. <a href={pathOf({ ...order, from: 0 })}>Show all</a>
            </p>
          )}
        </div>
        <RankTable pages={pages} order={order} onSort={(column) => show(orderAfter(order, column))} />
        <MyRow sort={order.sort} />
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
function SortChoice({ order, onSort }: { readonly order: Order; readonly onSort: (sort: Column) => void }) {
  const choose = (value: string) => onSort(orderOf({ sort: value }).sort);
  return (
    <label class="sort-choice">
      <span class="soft">{order.term === '' ? 'Sorted by' : 'Column'}</span>
      <select value={order.sort} onChange={(event) => choose(event.currentTarget.value)}>
        {COLUMNS.map(({ key, label }) => (
          <option key={key} value={key}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
