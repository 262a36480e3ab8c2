import type { StreamEvent } from '@kith-efp/client';
import { refresh } from '../api/refresh.ts';
import { cachedResponse } from '../api/response-cache.ts';
import { bounded } from './bounded.ts';
import { onUpdate } from './connection.ts';

/** Of a page: what arrives in between is asked for at once. */
const MIN_INTERVAL_MS = 4_000;
/** Of requests about the whole graph, which any event may change. */
const MIN_GRAPH_INTERVAL_MS = 20_000;

const PATH = /^\/api\/v1\/(users|lists)\/([^/?]+)\/([^/?]+)/;
const ABOUT_GRAPH = /^\/api\/v1\/(stats|discover)\b/;
/** These do not change with the graph, name the time that they are about, or are kept up by events. */
const CONSTANT = /\/(ens|badges)\b|[?&]start=|^\/api\/v1\/events\b/;
/** List ops name whom they concern. Other events may concern each account in the records of a list. */
const LIST_OPS = ['follow', 'unfollow', 'block', 'unblock', 'mute', 'unmute', 'tag', 'untag'];

/** Loads again what events may have changed on the page. Nothing is computed from events. */
export function refreshAfterEvents(): void {
  let addresses = new Set<string>();
  let isAll = false;
  const refreshConcerned = bounded(MIN_INTERVAL_MS, () => {
    const concerned = isAll ? null : addresses;
    addresses = new Set();
    isAll = false;
    refresh((key) => !CONSTANT.test(key) && !ABOUT_GRAPH.test(key) && (concerned === null || concerns(key, concerned)));
  });
  const refreshGraph = bounded(MIN_GRAPH_INTERVAL_MS, () => refresh((key) => ABOUT_GRAPH.test(key)));
  onUpdate(({ events, hasMissed }) => {
    isAll ||= hasMissed || events.some(({ type }) => !LIST_OPS.includes(type));
    for (const event of events) for (const address of addressesIn(event)) addresses.add(address);
    refreshConcerned();
    refreshGraph();
  });
}

function addressesIn(event: StreamEvent): string[] {
  return 'target' in event ? [event.account, event.target] : [];
}

function concerns(key: string, addresses: ReadonlySet<string>): boolean {
  const [, kind, id = ''] = PATH.exec(key) ?? [];
  // Safe: it is the response of that request.
  const details = cachedResponse(`/api/v1/${kind}/${id}/details`) as { readonly address: string } | undefined;
  if (details !== undefined && addresses.has(details.address)) return true;
  const text = key.toLowerCase();
  return [...addresses].some((address) => text.includes(address));
}
