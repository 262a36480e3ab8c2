import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import '../styles/live.css';
import { batch, lookup } from '../api/request.ts';
import { useRequest } from '../api/use-request.ts';
import { Empty } from '../components/empty.tsx';
import { RowsPlaceholder } from '../components/endless.tsx';
import { shortAddress } from '../components/format.ts';
import { Panel } from '../components/panel.tsx';
import { Problem } from '../components/problem.tsx';
import { bounded } from './bounded.ts';
import { useConnection } from './connection.ts';
import { FEED_TYPES, isListOp, keyOf, type ListOp, withUpdate } from './feed-events.ts';
import { FeedRow } from './feed-row.tsx';
import { useLive } from './use-live.ts';

interface Props {
  readonly title: string;
  /** The rows that it has at most. */
  readonly count: number;
  /** Whose actions it shows: of everybody if it is absent, and undefined until they are known. */
  readonly accounts?: readonly string[] | undefined;
  readonly children?: ComponentChildren;
}

const MIN_INTERVAL_MS = 2_000;
/** Screen readers are told of what is new no more often than this. */
const ANNOUNCE_INTERVAL_MS = 15_000;
/** Of a POST to /events. */
const MAX_ACCOUNTS = 10_000;

/** The newest actions, and those that happen while it is shown. They wait while it has the pointer, the focus or is paused. */
export function Feed(props: Props) {
  const { title, count, children } = props;
  const isLive = useConnection() === 'live';
  const isOfAll = !('accounts' in props);
  const accounts = props.accounts?.slice(0, MAX_ACCOUNTS);
  const isNobody = accounts?.length === 0;
  const parameters = { last: count, type: FEED_TYPES };
  const request = isOfAll
    ? lookup('/events', parameters)
    : accounts === undefined || isNobody
      ? null
      : batch('/events', { ...parameters, role: 'source' }, { accounts });
  const { data, error, reload } = useRequest(request);
  const [isPaused, setIsPaused] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const isStill = isPaused || isUsed;
  const known = useMemo(() => new Set(accounts), [accounts?.join()]);
  const live = useRef<readonly ListOp[]>([]);
  const [shown, show] = useState<readonly ListOp[]>();
  const [announcement, announce] = useState('');
  const unheard = useRef<ListOp[]>([]);
  const flush = useRef({ isStill, run: () => {} });
  flush.current = {
    isStill,
    run() {
      // What is void goes at once, because it is not true any more.
      const valid = new Set(live.current.map(keyOf));
      show((now) => {
        if (now === undefined) return now;
        return flush.current.isStill ? now.filter((event) => valid.has(keyOf(event))) : live.current.slice(0, count);
      });
    },
  };
  const [flushSoon, announceSoon] = useMemo(
    () => [
      bounded(MIN_INTERVAL_MS, () => flush.current.run()),
      bounded(ANNOUNCE_INTERVAL_MS, () => announce(describe(unheard.current.splice(0)))),
    ],
    [],
  );
  useEffect(() => {
    if (data === undefined) return;
    live.current = withUpdate([], { events: data.events }, count);
    show((now) => now ?? live.current);
    flush.current.run();
  }, [data]);
  useEffect(() => flush.current.run(), [isStill]);
  useLive(
    (event) => isListOp(event) && (isOfAll || known.has(event.account)),
    (update) => {
      if (update.hasMissed) reload();
      // Rows that stand still must not go because others are waiting.
      live.current = withUpdate(live.current, update, 4 * count);
      unheard.current.push(...update.events.filter(isListOp));
      flushSoon();
      announceSoon();
    },
  );
  const rows = shown ?? [];
  const names = useNames(rows);
  const newest = live.current.slice(0, count);
  const waiting = newest.filter((event) => !rows.some((row) => keyOf(row) === keyOf(event))).length;
  return (
    <Panel
      title={title}
      requests={[request]}
      controls={
        isLive && (
          <>
            {isStill && waiting > 0 && <span class="feed-waiting">{waiting} waiting</span>}
            <button
              type="button"
              class="quiet feed-pause"
              aria-pressed={isPaused}
              onClick={() => setIsPaused(!isPaused)}
            >
              Pause
            </button>
          </>
        )
      }
    >
      {children}
      {error !== undefined && <Problem error={error} retry={reload} />}
      {shown === undefined && error === undefined && !isNobody && <RowsPlaceholder count={Math.min(count, 10)} />}
      {(isNobody || shown?.length === 0) && <Empty>Nothing has happened yet.</Empty>}
      <div
        onPointerEnter={() => setIsUsed(true)}
        onPointerLeave={() => setIsUsed(false)}
        onFocusIn={() => setIsUsed(true)}
        onFocusOut={() => setIsUsed(false)}
      >
        <ul class="rows feed" aria-label={title}>
          {rows.map((event) => (
            <FeedRow key={keyOf(event)} event={event} target={names.get(event.target)} />
          ))}
        </ul>
      </div>
      <p class="visually-hidden" aria-live="polite">
        {announcement}
      </p>
    </Panel>
  );
}

function describe(events: readonly ListOp[]): string {
  const latest = events.at(-1);
  if (latest === undefined) return '';
  const others = events.length > 1 ? ` and ${events.length - 1} more` : '';
  return `New: ${latest.type} by ${latest.name || shortAddress(latest.account)}${others}`;
}

/** The names of those to whom something was done, which events do not have. */
function useNames(rows: readonly ListOp[]): ReadonlyMap<string, string> {
  const names = useRef(new Map<string, string>());
  const unknown = [...new Set(rows.map(({ target }) => target))].filter((address) => !names.current.has(address));
  const { data } = useRequest(unknown.length === 0 ? null : batch('/accounts', {}, unknown));
  for (const [index, account] of (data ?? []).entries()) names.current.set(unknown[index] ?? '', account?.name ?? '');
  return names.current;
}
