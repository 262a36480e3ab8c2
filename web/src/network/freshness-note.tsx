import { useConnection } from '../live/connection.ts';
import '../styles/freshness.css';
import { freshnessOf, type Level } from './freshness.ts';
import { STATUS_INTERVAL_MS, useStatus } from './use-status.ts';

/** How fresh the data is, in a few words. */
export function FreshnessNote() {
  const { level, text } = useFreshness();
  return (
    <a class="freshness" href="/network">
      <Dot level={level} />
      {text}
    </a>
  );
}

/** The same as a dot only, beside a text that says what it is about. */
export function FreshnessDot() {
  const { level, text } = useFreshness();
  return <Dot level={level} title={text} />;
}

export function Dot({ level, title }: { readonly level: Level | null; readonly title?: string }) {
  return <span class="dot" data-level={level ?? 'none'} title={title} aria-hidden="true" />;
}

/** The state of the connection to the service, and with one, of the service. */
export function useFreshness(): { readonly level: Level | null; readonly text: string } {
  const { data, error } = useStatus(STATUS_INTERVAL_MS);
  const connection = useConnection();
  if (connection === 'outage') return { level: 'bad', text: 'no connection, trying again' };
  if (error !== undefined) return { level: 'bad', text: 'status not available, trying again' };
  if (data === undefined) return { level: null, text: 'asking for the status' };
  const freshness = freshnessOf(data);
  if (freshness.level !== 'good') return freshness;
  if (connection === 'waiting') return { level: 'warm', text: `${freshness.text}, connecting` };
  return { ...freshness, text: connection === 'live' ? `live, ${freshness.text}` : freshness.text };
}
