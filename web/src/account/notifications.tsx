import { useMemo, useState } from 'preact/hooks';
import '../styles/notifications.css';
import { pagedLookup, type ResponseOf } from '../api/request.ts';
import { cacheResponse, restoredResponse } from '../api/response-cache.ts';
import type { Details } from '../api/subject.ts';
import { PAGE, usePages } from '../api/use-pages.ts';
import { AccountLink } from '../components/account-link.tsx';
import { Endless } from '../components/endless.tsx';
import { formatDateTime } from '../components/format.ts';
import { Name } from '../components/name.tsx';
import { Panel } from '../components/panel.tsx';
import { Segments } from '../components/segments.tsx';
import type { Interval } from './buckets.ts';
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

type Notification = ResponseOf<'/users/{addressOrENS}/notifications'>['notifications'][number];

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

/** What others did to their records of the account. */
export function Notifications({ id, name, details }: Props) {
  const [kind, setKind] = useState<Kind>('0');
  const [interval, chooseInterval] = useState<Interval>('all');
  const [end] = useState(() => endOf(id));
  const requestOf = (limit: number) =>
    pagedLookup('/users/{addressOrENS}/notifications', {
      addressOrENS: id,
      opcode: Number(kind),
      interval,
      start: end,
      limit,
    });
  const pages = usePages({ first: requestOf(PAGE), entriesIn: (page) => page.notifications });
  const days = useMemo(() => byDay(pages.entries), [pages.entries]);
  const all = requestOf(1000);
  const isEmpty = kind === '0' && interval === 'all' && pages.isComplete && days.length === 0;
  // It may have had followers before.
  if (isEmpty && isUnconnected(details)) return <Unconnected />;
  return (
    <Panel title="Activity" requests={[pages.request, all]}>
      <div class="notifications">
        <div class="notification-filters">
          <Segments label="Kind" options={KINDS} value={kind} onChange={setKind} />
          <Segments label="Interval" options={INTERVALS} value={interval} onChange={chooseInterval} />
        </div>
        <div class="notification-columns">
          <Histogram request={all} interval={interval} end={end * 1000} />
          <Endless pages={{ ...pages, entries: days }} label="Activity by day" empty="Nothing happened in this time.">
            {(day) => (
              <>
                <h3>{day.label}</h3>
                <ol class="timeline">
                  {day.entries.map((entry, index) => (
                    <li key={index} class="action" data-kind={entry.action}>
                      <AccountLink address={entry.address} name={entry.name} avatar={entry.avatar} />
                      <Action notification={entry} target={name} />
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

interface ActionProps {
  readonly notification: Notification;
  /** The account that the page is about. */
  readonly target: string;
}

function Action({ notification: { action, tag }, target }: ActionProps) {
  const name = <Name name={target} />;
  const chip = (
    <bdi class="chip" data-kind={tag === 'block' || tag === 'mute' ? 'bad' : tag === 'top8' ? 'warm' : 'good'}>
      {tag}
    </bdi>
  );
  if (action === 'follow') return <p>followed {name}</p>;
  if (action === 'unfollow') return <p>unfollowed {name}</p>;
  if (action === 'tag') {
    return (
      <p>
        tagged {name} with {chip}
      </p>
    );
  }
  return (
    <p>
      removed the tag {chip} from {name}
    </p>
  );
}

interface Day {
  readonly label: string;
  readonly entries: Notification[];
}

function byDay(entries: readonly Notification[]): readonly Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const label = dayFormat.format(new Date(entry.updated_at));
    const last = days.at(-1);
    if (last?.label === label) last.entries.push(entry);
    else days.push({ label, entries: [entry] });
  }
  return days;
}

/** The end of the intervals, in seconds. A fixed one keeps the pages in step while new actions arrive. */
function endOf(id: string): number {
  const key = `end of the activity of ${id}`;
  const end = (restoredResponse(key) as number | undefined) ?? Math.floor(Date.now() / 1000);
  cacheResponse(key, end);
  return end;
}
