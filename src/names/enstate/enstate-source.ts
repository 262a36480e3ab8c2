import type { Address } from '../../protocol/hex.ts';
import { RemoteError } from '../../remote/remote-error.ts';
import type { FetchedProfile, FetchOptions, ProfileSource } from '../profile-source.ts';
import { createControl } from './control.ts';
import {
  createEnstateClient,
  type EnstateClientOptions,
  type Replies,
  type Reply,
  USUAL_LIMIT,
} from './enstate-client.ts';
import { fetchConfirmed, fetchReplies, type Topic } from './fetch-replies.ts';
import { namelessProfile, parseAccount } from './parse-account.ts';
import { isLookedFor, parseHolder } from './parse-holder.ts';

export interface EnstateOptions extends EnstateClientOptions {
  /** An account that certainly has a name, and a name that certainly leads to an account. */
  readonly control?: { readonly account: Address; readonly name: string } | undefined;
}

/** Set since long before this was written, and cared for. */
const CONTROL = { account: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045', name: 'vitalik.eth' } as const;

/**
 * Profiles as an enstate server tells them. It says of an account without a name that it is not found, and says the
 * same when its own node fails it; so that counts only when said twice, the second time beside a control.
 */
export function createEnstateSource({ control = CONTROL, ...options }: EnstateOptions): ProfileSource {
  const client = createEnstateClient(options);
  const accounts: Topic<Address, FetchedProfile> = {
    parse: (answer, account) => parseAccount(answer, account, options.now()),
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
    // As many as fit into one request with their control.
    batchSize: USUAL_LIMIT - 1,
    async fetchProfiles(asked, { fresh, names: known }) {
      const first = await fetchReplies(client, accounts, asked, fresh);
      remember(first);
      const doubted = asked.filter((account) => first.get(account)?.kind === 'not-found');
      const second = await fetchConfirmed(client, accounts, doubted);
      remember(second);
      for (const [account, reply] of second) {
        const name = known?.get(account) ?? '';
        if (reply.kind === 'not-found' && name !== '') second.set(account, await doubtLoss(name, reply));
      }
      return new Map([...first, ...second].map(([account, reply]) => [account, profileOf(reply)]));
    },
    fetchHolder,
  };

  /** The control may be fine and the gateway of this name down, which looks the same: so the name itself is asked for. */
  async function doubtLoss(name: string, reply: Reply<FetchedProfile>): Promise<Reply<FetchedProfile>> {
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
    const untold = (message: string) =>
      ({ kind: 'failed', error: client.fail(name, { kind: 'malformed', message }) }) as const;
    if (!isLookedFor(name)) return untold('not found, but such names are not looked for');
    const replies = await fetchConfirmed(client, names, [name]);
    return replies.get(name) ?? untold('nothing');
  }

  function holderOf(reply: Reply<Address | null>, name: string): Address | null {
    switch (reply.kind) {
      case 'found':
        return reply.value;
      case 'not-found':
        return null;
      case 'not-owned':
        // Told of accounts only.
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
      return namelessProfile(reply.askedAt);
    case 'failed':
      return reply.error;
  }
}
