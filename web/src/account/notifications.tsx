import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import '../styles/notifications.css';
import { type PageRequest, pagedLookup, type ResponseOf } from '../api/request.ts';
import { cacheResponse, restoredResponse } from '../api/response-cache.ts';
import type { Details } from '../api/subject.ts';
import { PAGE, usePages } from '../api/use-pages.ts';
import { AccountLink } from '../components/account-link.tsx';
import { Endless } from '../components/endless.tsx';
import { formatDateTime } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { Segments } from '../components/segments.tsx';
import { useQuery } from '../components/use-query.ts';
import { Feed } from '../live/feed.tsx';
import { useFollowedByMe } from '../live/followed-by-me.ts';
import { useMe } from '../me/me.ts';
import type { Interval } from './buckets.ts';
import { Deed } from './deed.tsx';
import { Histogram } from './histogram.tsx';
import { isUnconnected, Unconnected } from './unconnected.tsx';

interface Props {
  /** Of the account that the page is about: its name or address. */
  readonly id: string;
  /** Its name, or its short address. */
  readonly name: string;
  /** Undefined until they are loaded. */
  readonly details: Details | undefined;
}

type Page = Partial<ResponseOf<'/users/{addressOrENS}/notifications'> & ResponseOf<'/users/{addressOrENS}/activity'>>;
type Entry = NonNullable<Page['activity']>[number];

/** The values are opcodes. */
const KINDS = [
  { value: '0', label: 'All' },
  { value: '1', label: 'Follow' },
  { value: '2', label: 'Unfollow' },
  { value: '3', label: 'Tag' },
  { value: '4', label: 'Untag' },
] as const;

const INTERVALS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'all', label: 'All' },
] as const satisfies readonly { value: Interval; label: string }[];

type Kind = (typeof KINDS)[number]['value'];

const DIRECTIONS = [
  { value: 'received', label: 'Received' },
  { value: 'done', label: 'Done' },
] as const;
/** On the page of the visitor. */
const MY_DIRECTIONS = [...DIRECTIONS, { value: 'followed', label: 'Whom I follow' }] as const;
type Direction = (typeof MY_DIRECTIONS)[number]['value'];

const LOOKUPS = {
  received: '/users/{addressOrENS}/notifications',
  done: '/users/{addressOrENS}/activity',
} as const;

/** What others did to their records of the account, what it did, and what those did whom the visitor follows. */
export function Notifications(props: Props) {
  const [query, set] = useQuery();
  const me = useMe();
  const isMine = me !== null && (props.details?.address === me.address || props.id.toLowerCase() === me.address);
  const directions = isMine ? MY_DIRECTIONS : DIRECTIONS;
  const direction = directions.find(({ value }) => value === query.direction)?.value ?? 'received';
  const choose = (value: Direction) => set({ direction: value === 'received' ? '' : value });
  const choice = <Segments label="Direction" options={directions} value={direction} onChange={choose} />;
  if (direction === 'followed') return <FollowedByMe choice={choice} />;
  return <Actions key={direction} {...props} direction={direction} choice={choice} />;
}

function FollowedByMe({ choice }: { readonly choice: ComponentChildren }) {
  const { accounts, error, reload } = useFollowedByMe();
  return (
    <Feed title="Activity" accounts={accounts} count={100}>
      <div class="notification-filters">{choice}</div>
      {error !== undefined && <Problem error={error} retry={reload} />}
    </Feed>
  );
}

interface ActionsProps extends Props {
  readonly direction: keyof typeof LOOKUPS;
  readonly choice: ComponentChildren;
}

function Actions({ id, name, details, direction, choice }: ActionsProps) {
  const [kind, setKind] = useState<Kind>('0');
  const [interval, chooseInterval] = useState<Interval>('all');
  const [end, setEnd] = useState(() => endOf(id));
  const parameters = { addressOrENS: id, opcode: Number(kind), interval };
  // Both have the same parameters, and pages of the same entries.
  const requestOf = (range: object): PageRequest<Page> =>
    pagedLookup(LOOKUPS[direction], { ...parameters, ...range }) as PageRequest<Page>;
  const entriesIn = ({ notifications, activity }: Page) => notifications ?? activity ?? [];
  const pages = usePages({
    first: requestOf({ limit: PAGE }),
    entriesIn,
    timeOf: ({ updated_at }) => updated_at,
  });
  const days = useMemo(() => byDay(pages.entries), [pages.entries]);
  const all = requestOf({ start: end, limit: 1000 });
  const isEmpty =
    direction === 'received' && kind === '0' && interval === 'all' && pages.isComplete && days.length === 0;
  // It may have had followers before.
  if (isEmpty && isUnconnected(details)) return <Unconnected />;
  const showNewer = () => {
    pages.showNewer();
    setEnd(now());
  };
  return (
    <Panel title="Activity" requests={[pages.request, all]}>
      <div class="notifications">
        <div class="notification-filters">
          {choice}
          <Segments label="Kind" options={KINDS} value={kind} onChange={setKind} />
          <Segments label="Interval" options={INTERVALS} value={interval} onChange={chooseInterval} />
        </div>
        <div class="notification-columns">
          <Histogram request={all} entriesIn={entriesIn} interval={interval} end={end * 1000} />
          <Endless
            pages={{ ...pages, entries: days, showNewer }}
            label="Activity by day"
            empty="Nothing happened in this time."
            noun="action"
          >
            {(day) => (
              <>
                <h3>{day.label}</h3>
                <ol class="timeline">
                  {day.entries.map((entry, index) => (
                    <li key={index} class="action" data-kind={entry.action}>
                      <AccountLink address={entry.address} name={entry.name} avatar={entry.avatar} />
                      <Deed {...entry} isDone={direction === 'done'} other={name} />
                      <time dateTime={entry.updated_at} title={formatDateTime(entry.updated_at)}>
                        {timeOfDay.format(new Date(entry.updated_at))}
                      </time>
                    </li>
                  ))}
                </ol>
              </>
            )}
          </Endless>
        </div>
      </div>
    </Panel>
  );
}

const timeOfDay = new Intl.DateTimeFormat('en', { timeStyle: 'short' });
const dayFormat = new Intl.DateTimeFormat('en', { weekday: 'long', year: 'numeric', month: 'long', day: 'numeric' });

interface Day {
  readonly label: string;
  readonly entries: Entry[];
}

function byDay(entries: readonly Entry[]): readonly Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const label = dayFormat.format(new Date(entry.updated_at));
    const last = days.at(-1);
    if (last?.label === label) last.entries.push(entry);
    else days.push({ label, entries: [entry] });
  }
  return days;
}

const now = () => Math.floor(Date.now() / 1000);

/** The end of the histogram, in seconds, which is that of the list when it was loaded. */
function endOf(id: string): number {
  const key = `end of the activity of ${id}`;
  const end = (restoredResponse(key) as number | undefined) ?? now();
  cacheResponse(key, end);
  return end;
}
