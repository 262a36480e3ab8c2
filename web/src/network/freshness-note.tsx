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

function useFreshness(): { readonly level: Level | null; readonly text: string } {
  const { data, error } = useStatus(STATUS_INTERVAL_MS);
  if (error !== undefined) return { level: 'bad', text: 'status not available' };
  return data === undefined ? { level: null, text: 'asking for the status' } : freshnessOf(data);
}
