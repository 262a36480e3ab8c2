import { KithError, type StreamEvent } from '@kith-efp/client';
import { useEffect, useState } from 'preact/hooks';
import { client } from '../api/request.ts';
import { loadStatus, STATUS_INTERVAL_MS, statusNow, watchStatus } from '../network/use-status.ts';

/**
 * `live`: events arrive. `polling`: the service answers but sends no events, so its status is compared. `waiting`: a stream is
 * being opened. `outage`: the service does not answer.
 */
export type Connection = 'live' | 'polling' | 'waiting' | 'outage';

export interface Update {
  readonly events: readonly StreamEvent[];
  /** Whether there may have been other events. */
  readonly hasMissed: boolean;
}

/** What the tab that holds the stream tells the others. */
interface Message {
  readonly connection: Connection;
  /** The id after which the stream goes on. */
  readonly position: string | undefined;
  readonly events: readonly StreamEvent[];
}

const NAME = 'kith events';
/** Without a stream, the status is loaded so often. */
const POLL_INTERVAL_MS = 15_000;
/** After this time without an answer, visitors are told. Both together are less than two seconds. */
const MAX_OPEN_MS = 800;
const MAX_STATUS_MS = 1_000;
/** Attempts in quick succession, so that the end of a short outage is noticed at once. */
const QUICK_ATTEMPTS = 60;
const QUICK_MS = 1_500;
const SLOW_MS = 20_000;

let connection: Connection = 'waiting';
let position: string | undefined;
/** The counts of the last status, which also tell of what happened while no events arrived. */
let seen: string | undefined;
/** Whether there may have been events before those of a new stream, until a status has been compared. */
let isUnsure = false;
/** Set while the page is visible and the service sends events. */
let membership: AbortController | undefined;
let channel: BroadcastChannel | undefined;
let isHolder = false;
/** Ends an attempt to open a stream, or the pause before the next one. */
let tryNow: (() => void) | undefined;
let stopPolling: (() => void) | undefined;

const listeners = new Set<(update: Update) => void>();
const connectionListeners = new Set<() => void>();

/** Calls back with each event, and when there may have been others. */
export function onUpdate(listener: (update: Update) => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function useConnection(): Connection {
  const [shown, show] = useState(connection);
  useEffect(() => {
    const update = () => show(connection);
    update();
    connectionListeners.add(update);
    return () => void connectionListeners.delete(update);
  }, []);
  return shown;
}

/** Opens the event stream of this browser, or joins the tab that has it open, whenever the page is visible. */
export function connect(): void {
  const update = () => (document.hidden ? leave() : join());
  document.addEventListener('visibilitychange', () => {
    update();
    if (!document.hidden) void loadStatus();
  });
  // Browsers do not keep a page that has a lock for going back to it.
  addEventListener('pagehide', leave);
  addEventListener('pageshow', update);
  for (const change of ['online', 'offline']) addEventListener(change, () => tryNow?.());
  watchStatus(compareStatus, STATUS_INTERVAL_MS);
}

function join(): void {
  const { data } = statusNow();
  // A demo never changes, and nothing is sent during the first load.
  if (membership !== undefined || data === undefined || data.isDemo || data.isLoading) return;
  membership = new AbortController();
  const { signal } = membership;
  // Without them, as on a page without HTTPS, each visible tab has a stream of its own.
  if (navigator.locks === undefined || globalThis.BroadcastChannel === undefined) {
    void hold(signal);
    return;
  }
  channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data: message }: MessageEvent<Message | null>) => {
    if (message !== null) apply(message);
    else if (isHolder) tell();
  };
  // Asks for the state.
  channel.postMessage(null);
  navigator.locks
    .request(NAME, { signal }, () => hold(signal))
    .catch((error: Error) => {
      if (!signal.aborted) throw error;
    });
}

function leave(): void {
  membership?.abort();
  membership = undefined;
  channel?.close();
  channel = undefined;
  isHolder = false;
  // The status will say whether anything has happened meanwhile.
  position = undefined;
  change('waiting');
}

function compareStatus(): void {
  const { data, error } = statusNow();
  if (error !== undefined && connection === 'polling') tryNow?.();
  if (error !== undefined || data === undefined) return;
  const counts = JSON.stringify(data.counts);
  const hasMissed = seen !== undefined && seen !== counts && (connection !== 'live' || isUnsure);
  seen = counts;
  isUnsure = false;
  if (hasMissed) notify({ events: [], hasMissed });
  if (!document.hidden) join();
}

/** Keeps a stream open until the signal is aborted. */
async function hold(signal: AbortSignal): Promise<void> {
  isHolder = true;
  for (let failures = 0; !signal.aborted; ) {
    const attempt = new AbortController();
    tryNow = () => attempt.abort();
    const slow = setTimeout(() => void tellWhy(signal), MAX_OPEN_MS);
    try {
      const ended = AbortSignal.any([signal, attempt.signal]);
      const items = client.events({ since: position }, { signal: ended, progress: true, reconnect: false });
      for await (const item of items) {
        clearTimeout(slow);
        failures = 0;
        tell('live', item.id, item.type === 'progress' ? [] : [item]);
      }
    } catch (error) {
      failures += 1;
      // Another service behind the same URL may not know it.
      if (!(error instanceof KithError) || [400, 404, 409].includes(error.status)) position = undefined;
    }
    clearTimeout(slow);
    if (signal.aborted) return;
    if (connection === 'live') tell('waiting');
    if (failures > 0) await tellWhy(signal, failures);
    await pause(delayAfter(failures), signal);
  }
}

/** Tells what the visitor has to know of a stream that does not open, which depends on whether the service answers. */
async function tellWhy(signal: AbortSignal, failures = Number.POSITIVE_INFINITY): Promise<void> {
  const answers = await Promise.race([
    loadStatus().then(({ error }) => error === undefined),
    new Promise<false>((resolve) => setTimeout(() => resolve(false), MAX_STATUS_MS)),
  ]);
  if (signal.aborted || connection === 'live') return;
  if (!answers) tell('outage');
  else if (failures > 1) tell('polling');
}

/** At random, because all streams of a service may end at once. */
function delayAfter(failures: number): number {
  if (failures === 0) return (Math.random() * QUICK_MS) / 3;
  const range = connection === 'polling' || failures > QUICK_ATTEMPTS ? SLOW_MS : QUICK_MS;
  return range * (0.5 + Math.random() / 2);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
    tryNow = end;
  });
}

/** Sends the state of the stream and what it has sent to all tabs. */
function tell(next = connection, id = position, events: readonly StreamEvent[] = []): void {
  const message: Message = { connection: next, position: id, events };
  channel?.postMessage(message);
  apply(message);
}

function apply({ connection: next, position: id, events }: Message): void {
  if (next === 'live' && connection !== 'live') {
    isUnsure = position === undefined;
    void loadStatus();
  }
  position = id;
  change(next);
  if (events.length > 0) notify({ events, hasMissed: false });
}

function notify(update: Update): void {
  for (const listener of listeners) listener(update);
}

function change(next: Connection): void {
  if (next === connection) return;
  connection = next;
  stopPolling?.();
  stopPolling = next === 'polling' ? watchStatus(() => undefined, POLL_INTERVAL_MS) : undefined;
  for (const listener of connectionListeners) listener();
}
