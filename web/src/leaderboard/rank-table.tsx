import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from '../api/use-pages.ts';
import { AccountLink } from '../components/account-link.tsx';
import { Empty } from '../components/empty.tsx';
import { formatNumber } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { useEndInView } from '../components/use-end-in-view.ts';
import { useMe } from '../me/me.ts';
import { COLUMNS, type Column, type Member, type Order } from './order.ts';

interface Props {
  readonly pages: Pages<Member>;
  readonly order: Order;
  readonly onSort: (column: Column) => void;
}

/** The leaderboard as a table. A narrow page shows only the column that it is sorted by. */
export function RankTable({ pages, order, onSort }: Props) {
  const end = useEndInView(pages);
  const { entries, error, isLoading, isComplete, loadMore } = pages;
  const isSearch = order.term !== '';
  return (
    <div class="ranks" aria-busy={isLoading} data-complete={isComplete}>
      <table>
        <caption class="visually-hidden">{isSearch ? 'Accounts that match' : `Accounts by ${order.sort}`}</caption>
        <thead>
          <tr>
            <th scope="col" class="ranks-rank">
              <abbr title={`Rank by ${order.sort}`}>#</abbr>
            </th>
            <th scope="col" class="ranks-account">
              Account
            </th>
            {COLUMNS.map(({ key, label }) => (
              <SortHeader key={key} column={key} label={label} order={order} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {entries.map((member) => (
            <Row key={member.address} member={member} order={order} />
          ))}
        </tbody>
      </table>
      {isComplete && entries.length === 0 && (
        <Empty>{isSearch ? 'No account matches.' : 'The leaderboard is empty.'}</Empty>
      )}
      {isComplete && entries.length > 0 && (
        <p class="empty">
          {order.from > 0 ? 'The last' : 'All'} {formatNumber(entries.length)} {isSearch ? 'matches' : 'accounts'} are
          shown.
        </p>
      )}
      {error !== undefined && <Problem error={error} retry={loadMore} />}
      {isLoading && (
        <div class="ranks-pending placeholder" role="status" aria-label="Loading">
          {Array.from({ length: entries.length === 0 ? 16 : 4 }, (_, row) => (
            <div key={row} class="row-placeholder" />
          ))}
        </div>
      )}
      <div ref={end} class="list-end" />
    </div>
  );
}

interface HeaderProps {
  readonly column: Column;
  readonly label: string;
  readonly order: Order;
  readonly onSort: (column: Column) => void;
}

function SortHeader({ column, label, order, onSort }: HeaderProps) {
  const isChosen = order.sort === column;
  const isDescending = order.direction === 'desc';
  // A search has an order of its own.
  if (order.term !== '') {
    return (
      <th scope="col" class={isChosen ? 'sorted' : ''}>
        <span class="ranks-label">{label}</span>
      </th>
    );
  }
  return (
    <th
      scope="col"
      class={isChosen ? 'sorted' : ''}
      aria-sort={isChosen ? (isDescending ? 'descending' : 'ascending') : 'none'}
    >
      <button type="button" class="quiet" onClick={() => onSort(column)}>
        {label}
        <span aria-hidden="true">{isChosen && !isDescending ? '↑' : '↓'}</span>
      </button>
    </th>
  );
}

function Row({ member, order: { sort, from } }: { readonly member: Member; readonly order: Order }) {
  const row = useRef<HTMLTableRowElement>(null);
  const isMe = useMe()?.address === member.address;
  // The visitor has asked for their place.
  useEffect(() => {
    if (isMe && from > 0) row.current?.querySelector('a')?.focus();
  }, [isMe, from]);
  return (
    <tr ref={row} class={isMe ? 'mine' : ''}>
      <td class="ranks-rank">{rankOf(member, sort)}</td>
      <th scope="row">
        <AccountLink address={member.address} name={member.name} avatar={member.avatar} />
      </th>
      {COLUMNS.map(({ key }) => (
        <td key={key} class={key === sort ? 'sorted' : ''}>
          {formatNumber(member[key])}
          <small title={`Rank by ${key}`}>{rankOf(member, key, '#')}</small>
        </td>
      ))}
    </tr>
  );
}

/** The place of an account; a count of zero has none. */
function rankOf(member: Member, key: Column, sign = ''): string {
  return member[key] === '0' ? '–' : `${sign}${formatNumber(member[`${key}_rank`])}`;
}
