import { useState } from 'preact/hooks';
import type { ResponseOf } from '../api/request.ts';
import { ChartTable } from '../components/chart-table.tsx';
import { Empty } from '../components/empty.tsx';
import { formatNumber } from '../components/format.ts';
import type { Interval } from './history.tsx';

type Point = ResponseOf<'/users/{addressOrENS}/history'>['points'][number];

interface Props {
  readonly points: readonly Point[];
  readonly interval: Interval;
}

// The intervals of the lookup are in UTC.
const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Followers as a line, and what was gained and lost as bars above and below another one. */
export function HistoryChart({ points, interval }: Props) {
  const [chosen, setChosen] = useState(points.length - 1);
  const point = points[chosen];
  const [first] = points;
  if (point === undefined || first === undefined || points.every(isQuiet)) return <Empty>No followers so far.</Empty>;
  const label = (time: string) => labelOf(time, interval);
  const most = Math.max(1, ...points.map(({ followers }) => followers));
  const change = Math.max(1, ...points.map(({ gained, lost }) => Math.max(gained, lost)));
  const text = `${label(point.time)}: ${countOf(point.followers)}, ${formatNumber(point.gained)} gained, ${formatNumber(point.lost)} lost`;
  const pointAt = ({ currentTarget, offsetX }: { currentTarget: HTMLElement; offsetX: number }) =>
    setChosen(
      Math.min(points.length - 1, Math.max(0, Math.floor((offsetX / currentTarget.offsetWidth) * points.length))),
    );
  const svg = { viewBox: `0 0 ${points.length} 1`, preserveAspectRatio: 'none' } as const;
  const cursor = <rect class="history-cursor" x={chosen} width={1} height={1} />;
  return (
    <figure>
      <p class="history-text">{text}</p>
      <div class="history-plot">
        <span class="history-most" aria-hidden="true">
          {formatNumber(most)}
        </span>
        <svg {...svg} aria-hidden="true" class="history-followers">
          {cursor}
          <path class="history-area" d={`M0 1 ${lineOf(points, most)}V1z`} />
          <path class="history-line" d={`M${lineOf(points, most).slice(1)}`} vector-effect="non-scaling-stroke" />
        </svg>
        <svg {...svg} aria-hidden="true" class="history-changes">
          {cursor}
          <path class="history-gained" d={barsOf(points.map(({ gained }) => (-0.48 * gained) / change))} />
          <path class="history-lost" d={barsOf(points.map(({ lost }) => (0.48 * lost) / change))} />
        </svg>
        <input
          type="range"
          aria-label="Time"
          aria-valuetext={text}
          max={points.length - 1}
          value={chosen}
          onInput={({ currentTarget }) => setChosen(Number(currentTarget.value))}
          onPointerMove={pointAt}
        />
      </div>
      <div class="chart-axis" aria-hidden="true">
        <span>{label(first.time)}</span>
        <span>{label(points.at(-1)?.time ?? first.time)}</span>
      </div>
      <figcaption>
        <ul class="chart-legend">
          <li class="chart-key" data-kind="followers">
            today’s followers, by when they came
          </li>
          <li class="chart-key" data-kind="gained">
            gained
          </li>
          <li class="chart-key" data-kind="lost">
            lost
          </li>
        </ul>
      </figcaption>
      <ChartTable
        label="Followers over time"
        columns={['Followers', 'Gained', 'Lost']}
        rows={points.toReversed().map(({ time, followers, gained, lost }) => ({
          heading: label(time),
          values: [followers, gained, lost].map(formatNumber),
        }))}
      />
    </figure>
  );
}

const isQuiet = ({ followers, gained, lost }: Point): boolean => followers + gained + lost === 0;

const countOf = (followers: number): string =>
  `${formatNumber(followers)} ${followers === 1 ? 'follower' : 'followers'}`;

function labelOf(time: string, interval: Interval): string {
  const date = new Date(time);
  if (interval === 'month') return month.format(date);
  return interval === 'week' ? `Week of ${day.format(date)}` : day.format(date);
}

/** From the left edge to the right one, through the middle of each interval. */
function lineOf(points: readonly Point[], most: number): string {
  const heights = points.map(({ followers }) => 1 - (0.95 * followers) / most);
  return `L0 ${heights[0]}${heights.map((y, x) => `L${x + 0.5} ${y}`).join('')}H${points.length}`;
}

/** Bars of signed heights, from the middle. */
const barsOf = (heights: readonly number[]): string =>
  heights.map((height, x) => (height === 0 ? '' : `M${x + 0.1} 0.5h0.8v${height}h-0.8z`)).join('');
