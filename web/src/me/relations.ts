import { useEffect, useReducer } from 'preact/hooks';
import { batch, type ResponseOf } from '../api/request.ts';
import { useMe } from './me.ts';

type Account = NonNullable<ResponseOf<'/accounts'>[number]>;

/** The edges between the visitor and another account. */
export interface Relation {
  readonly mine: NonNullable<Account['state']>;
  readonly theirs: NonNullable<Account['follower_state']>;
}

/** Of a request; the service accepts twice as many. */
const MAX_ACCOUNTS = 500;
/** The age at which a relation is loaded again when it is shown anew. */
const MAX_AGE_MS = 60_000;

const known = new Map<string, Relation & { readonly at: number }>();
const wanted = new Set<string>();
/** Each component that shows a relation, with the address that it is about; null for the failure. */
const watchers = new Map<() => void, string | null>();
let viewer: string | undefined;
let failure: Failure | undefined;

export interface Failure {
  readonly error: Error;
  retry(): void;
}

document.addEventListener('visibilitychange', () => {
  if (!document.hidden) for (const address of watchers.values()) want(address);
});

/** How the visitor and an account relate; undefined while that is unknown. What a page shows is loaded in one request. */
export function useRelation(address: string): Relation | undefined {
  const me = useMe()?.address;
  useWatcher(me !== undefined && me !== address ? address : null, me);
  return me === viewer && me !== address ? known.get(address) : undefined;
}

/** Why relations are unknown, until they are loaded. */
export function useRelationFailure(): Failure | undefined {
  useWatcher(null, useMe()?.address);
  return failure;
}

function useWatcher(address: string | null, me: string | undefined): void {
  const [, update] = useReducer<number, void>((count) => count + 1, 0);
  const shown = address === null ? undefined : known.get(address);
  useEffect(() => {
    const notify = () => update();
    if (me !== viewer) forget(me);
    watchers.set(notify, address);
    // It may have been loaded between the rendering and this effect.
    if (address !== null && known.get(address) !== shown) notify();
    want(address);
    return () => void watchers.delete(notify);
  }, [address, me]);
}

function forget(next: string | undefined): void {
  viewer = next;
  failure = undefined;
  known.clear();
  wanted.clear();
}

function want(address: string | null): void {
  if (address === null || Date.now() - (known.get(address)?.at ?? 0) < MAX_AGE_MS) return;
  // The effects of all rows of a page run before the request.
  if (wanted.size === 0) setTimeout(loadWanted);
  wanted.add(address);
}

function loadWanted(): void {
  const addresses = [...wanted];
  wanted.clear();
  for (let at = 0; at < addresses.length; at += MAX_ACCOUNTS) void load(addresses.slice(at, at + MAX_ACCOUNTS));
}

async function load(addresses: readonly string[]): Promise<void> {
  const asked = viewer;
  if (asked === undefined) return;
  const outcome = await batch('/accounts', { viewer: asked }, addresses)
    .load(AbortSignal.timeout(30_000))
    .catch((error: Error) => error);
  if (asked !== viewer) return;
  if (outcome instanceof Error) failure = { error: outcome, retry: () => addresses.forEach(want) };
  else {
    failure = undefined;
    const at = Date.now();
    for (const account of outcome) {
      if (account?.state && account.follower_state)
        known.set(account.address, { mine: account.state, theirs: account.follower_state, at });
    }
  }
  const loaded = new Set(addresses);
  for (const [notify, address] of watchers) if (address === null || loaded.has(address)) notify();
}
