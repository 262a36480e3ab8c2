import { useState } from 'preact/hooks';
import '../styles/history.css';
import { lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { Segments } from '../components/segments.tsx';
import { useChunk } from '../components/use-chunk.ts';
import { useInView } from './use-in-view.ts';

const INTERVALS = [
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
] as const;
export type Interval = (typeof INTERVALS)[number]['value'];

/** How far back the shorter intervals go, in days. More points would be narrower than a pixel of a phone. */
const DAYS: Record<Interval, number> = { day: 90, week: 2 * 364, month: Number.POSITIVE_INFINITY };

/** The followers of an account over time. Its code and data are loaded when it is seen. */
export function History({ address }: { readonly address: string }) {
  const [ref, isSeen] = useInView<HTMLDivElement>();
  const [interval, setInterval] = useState<Interval>('month');
  const { chunk, error: chunkError } = useChunk(() => import('./history-chart.tsx'), isSeen);
  const request = requestOf(address, interval);
  const { data, error, reload } = useRequest(isSeen ? request : null);
  return (
    <Panel
      title="Followers over time"
      requests={[request]}
      controls={<Segments label="Interval" options={INTERVALS} value={interval} onChange={setInterval} />}
    >
      <div ref={ref} class="history" aria-busy={data === undefined && error === undefined}>
        {error !== undefined && <Problem error={error} retry={reload} />}
        {chunkError !== undefined && <Problem error={chunkError} retry={() => location.reload()} />}
        {chunk !== undefined && data !== undefined && (
          <chunk.HistoryChart key={interval} points={data.points} interval={interval} />
        )}
      </div>
    </Panel>
  );
}

function requestOf(address: string, interval: Interval) {
  const since = Date.now() - DAYS[interval] * 86_400_000;
  // The whole day is one request, which the browser and the service can cache.
  const from = Number.isFinite(since) ? { from: new Date(since).toISOString().slice(0, 10) } : {};
  return lookup('/users/{addressOrENS}/history', { addressOrENS: address, interval, ...from });
}
