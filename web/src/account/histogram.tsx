import { useMemo } from 'preact/hooks';
import type { Request } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { ChartTable } from '../components/chart-table.tsx';
import { formatDate, formatDateTime, formatNumber } from '../components/format.ts';
import { Problem } from '../components/problem.tsx';
import { ACTIONS, type Action, type Bucket, bucketsOf, type Entry, type Interval } from './buckets.ts';
import { useInView } from './use-in-view.ts';

interface Props<T> {
  /** The newest actions of the interval, as many as one page has. */
  readonly request: Request<T>;
  readonly entriesIn: (page: T) => readonly Entry[];
  readonly interval: Interval;
  /** Of the interval, in milliseconds. */
  readonly end: number;
}

const PAGE = 1000;
const DAY = 86_400_000;
const LABELS: Record<Action, string> = { follow: 'follows', tag: 'tags', untag: 'untags', unfollow: 'unfollows' };

/** Actions over time, stacked by kind. */
export function Histogram<T>({ request, entriesIn, interval, end }: Props<T>) {
  const [ref, isSeen] = useInView<HTMLDivElement>();
  const { data, error, reload } = useRequest(isSeen ? request : null);
  const entries = useMemo(() => data && entriesIn(data), [data]);
  const isPart = entries?.length === PAGE;
  const buckets = useMemo(
    () => (entries === undefined ? [] : bucketsOf(entries, interval, end, isPart)),
    [entries, interval, end],
  );
  return (
    <div ref={ref} class="histogram" aria-busy={data === undefined && error === undefined}>
      {error !== undefined && <Problem error={error} retry={reload} />}
      {entries !== undefined && <Chart buckets={buckets} count={entries.length} isPart={isPart} interval={interval} />}
    </div>
  );
}

interface ChartProps {
  readonly buckets: readonly Bucket[];
  readonly count: number;
  readonly isPart: boolean;
  readonly interval: Interval;
}

function Chart({ buckets, count, isPart, interval }: ChartProps) {
  const first = buckets[0];
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return null;
  const highest = Math.max(1, ...buckets.map(({ total }) => total));
  const totals = ACTIONS.map((action) => ({
    action,
    total: buckets.reduce((sum, { counts }) => sum + counts[action], 0),
  }));
  const coverage = coverageOf(count, isPart, interval);
  const { name, length } = lengthOf(first);
  return (
    <figure>
      <svg viewBox={`0 0 ${buckets.length} 1`} preserveAspectRatio="none" role="img" aria-label={coverage}>
        {buckets.map((bucket, index) => (
          <Bar key={bucket.start} bucket={bucket} x={index} highest={highest} />
        ))}
      </svg>
      <div class="chart-axis" aria-hidden="true">
        <span>{labelOf(first.start, length)}</span>
        {count > 0 && <span>{`at most ${formatNumber(highest)} in ${name}`}</span>}
        <span>now</span>
      </div>
      <figcaption>
        {count > 0 && (
          <ul class="chart-legend">
            {totals.map(({ action, total }) => (
              <li key={action} class="chart-key" data-action={action}>
                {formatNumber(total)} {LABELS[action]}
              </li>
            ))}
          </ul>
        )}
        <p>{coverage}</p>
      </figcaption>
      {count > 0 && (
        <ChartTable
          label="Actions over time"
          columns={ACTIONS.map((action) => LABELS[action])}
          rows={buckets
            .filter(({ total }) => total > 0)
            .toReversed()
            .map((bucket) => ({
              heading: rangeOf(bucket),
              values: ACTIONS.map((action) => formatNumber(bucket.counts[action])),
            }))}
        />
      )}
    </figure>
  );
}

interface BarProps {
  readonly bucket: Bucket;
  readonly x: number;
  readonly highest: number;
}

function Bar({ bucket, x, highest }: BarProps) {
  let top = 1;
  const counts = ACTIONS.filter((action) => bucket.counts[action] > 0);
  const text = counts.map((action) => `${formatNumber(bucket.counts[action])} ${LABELS[action]}`).join(', ');
  return (
    <g>
      <title>{`${rangeOf(bucket)}: ${text || 'nothing'}`}</title>
      <rect class="histogram-space" x={x} y={0} width={1} height={1} />
      {counts.map((action) => {
        const height = bucket.counts[action] / highest;
        top -= height;
        return <rect key={action} data-action={action} x={x + 0.1} y={top} width={0.8} height={height} />;
      })}
    </g>
  );
}

/** Says what the histogram counts, because the API returns at most one page of it. */
function coverageOf(count: number, isPart: boolean, interval: Interval): string {
  if (isPart) return `The newest ${formatNumber(count)} actions; older ones are not counted.`;
  const time = { day: 'the last 24 hours', week: 'the last 7 days', month: 'the last 30 days', all: 'all time' }[
    interval
  ];
  if (count === 0) return interval === 'all' ? 'No actions so far.' : `No actions in ${time}.`;
  return count === 1 ? `The only action of ${time}.` : `All ${formatNumber(count)} actions of ${time}.`;
}

function lengthOf({ start, end }: Bucket): { name: string; length: number } {
  const length = end - start;
  const hours = Math.round(length / 3_600_000);
  if (hours === 1) return { name: 'an hour', length };
  if (hours < 24) return { name: `${hours} hours`, length };
  return { name: hours === 24 ? 'a day' : `${Math.round(hours / 24)} days`, length };
}

const labelOf = (time: number, length: number): string => (length < DAY ? formatDateTime(time) : formatDate(time));

function rangeOf({ start, end }: Bucket): string {
  return `${labelOf(start, end - start)} to ${labelOf(end, end - start)}`;
}
