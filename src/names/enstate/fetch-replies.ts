import type { Control } from './control.ts';
import type { EnstateClient, Parse, Replies, Reply } from './enstate-client.ts';

/** What a server is asked about: accounts, or names. */
export interface Topic<Q extends string, T> {
  readonly parse: Parse<Q, T>;
  readonly control: Control<Q>;
}

/** Asks about any number of things, in as few requests as the server allows. */
export async function fetchReplies<Q extends string, T>(
  client: EnstateClient,
  { parse }: Topic<Q, T>,
  queries: readonly Q[],
  fresh: boolean,
): Promise<Replies<Q, T>> {
  const replies = new Map<Q, Reply<T>>();
  let rest = queries;
  while (rest.length > 0) {
    const piece = rest.slice(0, client.limit);
    const told = await client.fetchBulk(piece, fresh, parse);
    if (told === null) continue;
    for (const [query, reply] of told) replies.set(query, reply);
    rest = rest.slice(piece.length);
  }
  return replies;
}

/**
 * Asks again about what was not found, each time together with a control. That something is not found is told only
 * where the control was: else the server could not look, and that is an error.
 */
export async function fetchConfirmed<Q extends string, T>(
  client: EnstateClient,
  { parse, control }: Topic<Q, T>,
  doubted: readonly Q[],
): Promise<Map<Q, Reply<T>>> {
  const replies = new Map<Q, Reply<T>>();
  for (const query of doubted) control.forget(query);
  let fellBack = false;
  let rest = doubted;
  while (rest.length > 0) {
    const witness = fellBack ? control.given : control.current;
    const piece = rest.slice(0, client.limit - 1);
    const told = await client.fetchBulk([...piece, witness], true, parse);
    if (told === null) continue;
    const proven = told.get(witness)?.kind === 'found';
    const unproven: Q[] = [];
    for (const [query, reply] of told) {
      if (!piece.includes(query)) continue;
      if (reply.kind === 'not-found' && !proven) unproven.push(query);
      else replies.set(query, reply);
    }
    rest = rest.slice(piece.length);
    if (unproven.length > 0 && witness !== control.given) {
      // What was found before may be gone by now, which says nothing of the server.
      control.forget(witness);
      fellBack = true;
      rest = [...unproven, ...rest];
      continue;
    }
    for (const query of unproven) replies.set(query, { kind: 'failed', error: unprovenError(client, query) });
  }
  return replies;
}

function unprovenError(client: EnstateClient, query: string) {
  return client.fail(query, { kind: 'malformed', message: 'not found, but neither was the control' });
}
