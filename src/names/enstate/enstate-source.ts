import type { Address } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import type { FetchedProfile, FetchOptions, ProfileSource } from '../profile-source.ts';
import { createControl } from './control.ts';
import {
  createEnstateClient,
  DEFAULT_LIMIT,
  type EnstateClientOptions,
  type Replies,
  type Reply,
} from './enstate-client.ts';
import { fetchConfirmed, fetchReplies, type Topic } from './fetch-replies.ts';
import { namelessProfile, parseAccount } from './parse-account.ts';
import { isSupportedName, parseHolder } from './parse-holder.ts';

export interface EnstateOptions extends EnstateClientOptions {
  /** An account known to have a primary name, and a name known to resolve. */
  readonly control?: { readonly account: Address; readonly name: string } | undefined;
}

/** Long established and maintained. */
const DEFAULT_CONTROL = { account: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', name: 'vitalik.eth' } as const;

/**
 * Fetches profiles from an enstate server. enstate responds with 404 both for an account without a name and when its
 * own node fails, so a 404 counts only if it is confirmed by a second request that finds a control query.
 */
export function createEnstateSource({ control = DEFAULT_CONTROL, ...options }: EnstateOptions): ProfileSource {
  const client = createEnstateClient(options);
  const accounts: Topic<Address, FetchedProfile> = {
    parse: (json, account) => parseAccount(json, account, options.now()),
    control: createControl(control.account),
  };
  const names: Topic<string, Address | null> = { parse: parseHolder, control: createControl(control.name) };

  function remember(replies: Replies<Address, FetchedProfile>): void {
    for (const [account, reply] of replies) {
      if (reply.kind !== 'found' || reply.value.name === '') continue;
      accounts.control.remember(account);
      names.control.remember(reply.value.name);
    }
  }

  return {
    kind: 'enstate',
    // Fits into one bulk request together with the control.
    batchSize: DEFAULT_LIMIT - 1,
    async fetchProfiles(queries, { fresh, names: known }) {
      const first = await fetchReplies(client, accounts, queries, fresh);
      remember(first);
      const unconfirmed = queries.filter((account) => first.get(account)?.kind === 'not-found');
      const second = await fetchConfirmed(client, accounts, unconfirmed);
      remember(second);
      for (const [account, reply] of second) {
        const name = known?.get(account) ?? '';
        if (reply.kind === 'not-found' && name !== '') second.set(account, await confirmLoss(name, reply));
      }
      return new Map([...first, ...second].map(([account, reply]) => [account, profileOf(reply)]));
    },
    fetchHolder,
  };

  /** A 404 may also mean that the CCIP-read gateway of this name is down, so resolve the name itself. */
  async function confirmLoss(name: string, reply: Reply<FetchedProfile>): Promise<Reply<FetchedProfile>> {
    try {
      await fetchHolder(name, { fresh: true });
      return reply;
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      return { kind: 'failed', error };
    }
  }

  async function fetchHolder(name: string, { fresh }: FetchOptions): Promise<Address | null> {
    const first = await client.fetchOne(name, fresh, names.parse);
    const last = first.kind === 'not-found' ? await confirmMissing(name) : first;
    if (last.kind === 'found' && last.value !== null) names.control.remember(name);
    return holderOf(last, name);
  }

  async function confirmMissing(name: string): Promise<Reply<Address | null>> {
    const failed = (message: string) =>
      ({ kind: 'failed', error: client.fail(name, { kind: 'malformed', message }) }) as const;
    if (!isSupportedName(name)) return failed('not found, but enstate does not support such names');
    const replies = await fetchConfirmed(client, names, [name]);
    return replies.get(name) ?? failed('no result');
  }

  function holderOf(reply: Reply<Address | null>, name: string): Address | null {
    switch (reply.kind) {
      case 'found':
        return reply.value;
      case 'not-found':
        return null;
      case 'not-owned':
        // enstate returns this for accounts only.
        throw client.fail(name, { kind: 'http', status: 422, retryAfterMs: null });
      case 'failed':
        throw reply.error;
    }
  }
}

function profileOf(reply: Reply<FetchedProfile>): FetchedProfile | RemoteError {
  switch (reply.kind) {
    case 'found':
      return reply.value;
    case 'not-found':
    case 'not-owned':
      return namelessProfile(reply.requestedAt);
    case 'failed':
      return reply.error;
  }
}
