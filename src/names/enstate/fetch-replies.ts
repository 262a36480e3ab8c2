import type { Control } from './control.ts';
import type { EnstateClient, Parse, Replies, Reply } from './enstate-client.ts';

/** A kind of query: accounts or names. */
export interface Topic<Q extends string, T> {
  readonly parse: Parse<Q, T>;
  readonly control: Control<Q>;
}

/** Sends any number of queries in as few bulk requests as the server allows. */
export async function fetchReplies<Q extends string, T>(
  client: EnstateClient,
  { parse }: Topic<Q, T>,
  queries: readonly Q[],
  fresh: boolean,
): Promise<Replies<Q, T>> {
  const replies = new Map<Q, Reply<T>>();
  let rest = queries;
  while (rest.length > 0) {
    const batch = rest.slice(0, client.limit);
    const results = await client.fetchBulk(batch, fresh, parse);
    if (results === null) continue;
    for (const [query, reply] of results) replies.set(query, reply);
    rest = rest.slice(batch.length);
  }
  return replies;
}

/**
 * Repeats queries that were not found, each batch together with a control. `not-found` is confirmed only if the
 * control was found; otherwise the server is failing, and the result is an error.
 */
export async function fetchConfirmed<Q extends string, T>(
  client: EnstateClient,
  { parse, control }: Topic<Q, T>,
  unconfirmed: readonly Q[],
): Promise<Map<Q, Reply<T>>> {
  const replies = new Map<Q, Reply<T>>();
  for (const query of unconfirmed) control.forget(query);
  let usesFallback = false;
  let rest = unconfirmed;
  while (rest.length > 0) {
    const controlQuery = usesFallback ? control.fallback : control.current;
    const batch = rest.slice(0, client.limit - 1);
    const results = await client.fetchBulk([...batch, controlQuery], true, parse);
    if (results === null) continue;
    const proven = results.get(controlQuery)?.kind === 'found';
    const unproven: Q[] = [];
    for (const [query, reply] of results) {
      if (!batch.includes(query)) continue;
      if (reply.kind === 'not-found' && !proven) unproven.push(query);
      else replies.set(query, reply);
    }
    rest = rest.slice(batch.length);
    if (unproven.length > 0 && controlQuery !== control.fallback) {
      // The remembered control may have expired, which says nothing about the server: retry with the default.
      control.forget(controlQuery);
      usesFallback = true;
      rest = [...unproven, ...rest];
      continue;
    }
    for (const query of unproven) replies.set(query, { kind: 'failed', error: unprovenError(client, query) });
  }
  return replies;
}

function unprovenError(client: EnstateClient, query: string) {
  return client.fail(query, { kind: 'malformed', message: 'not found, but the control query was not found either' });
}
