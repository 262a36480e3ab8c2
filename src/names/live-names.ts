import { LRUCache } from 'lru-cache';
import { withDeadline } from '../async/deadline.ts';
import { createSingleFlight } from '../async/single-flight.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import type { Holder, NameSource } from './name-source.ts';
import type { SourceUse } from './profile-source.ts';

export interface LiveNamesOptions extends SourceUse {
  readonly holderOf: (name: string) => Promise<Holder | null>;
  /** Has the profile of an account fetched again; never rejects. */
  readonly renew: (account: Address) => Promise<void>;
}

/** How long an answer of the source stands: that a name leads nowhere, too. */
const REMEMBERED_MS = 60_000;
/** How long a failure stands, so that a burst of questions does not become one of requests. */
const FAILURE_MS = 5_000;
const MAX_REMEMBERED = 10_000;

type Said = { readonly began: number; readonly until: number } & (
  | { readonly address: Address | null }
  | { readonly error: RemoteError }
);

/** Answers from profiles that are fresh, else from the source; from older ones while it cannot tell. */
export function createLiveNames(options: LiveNamesOptions): NameSource {
  const { source, holderOf, renew, limiter, maxAgeMs, deadlineMs, now, logger } = options;
  const remembered = new LRUCache<string, Said>({ max: MAX_REMEMBERED });
  const flights = createSingleFlight<Said>();

  function recall(name: string): Said | undefined {
    const said = remembered.get(name);
    return said !== undefined && said.until > now() ? said : undefined;
  }

  /** An answer that stands gives way to none that was asked for before it, and to no failure. */
  function remember(name: string, said: Said): Said {
    const last = recall(name);
    const isBetter = last !== undefined && 'address' in last && ('error' in said || said.began < last.began);
    if (!isBetter) remembered.set(name, said);
    return said;
  }

  async function ask(name: string, fresh: boolean): Promise<Said> {
    const began = now();
    try {
      const address = await limiter.run(() => source.fetchHolder(name, { fresh }));
      return remember(name, { address, began, until: began + REMEMBERED_MS });
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      logger.warn({ err: error, name }, 'the source of names cannot tell who holds a name');
      return remember(name, { error, began, until: now() + FAILURE_MS });
    }
  }

  async function askInTime(name: string, fresh: boolean): Promise<Said> {
    const asking = flights.run(`${fresh} ${name}`, () => ask(name, fresh));
    const late = () => {
      const error = new RemoteError(source.kind, 'name', { kind: 'timeout' });
      // So that nobody waits a second time, until the source has told.
      remember(name, { error, began: now(), until: now() + FAILURE_MS });
      return error;
    };
    return withDeadline(asking, deadlineMs, late);
  }

  return {
    async addressOf(name, { fresh }) {
      const held = await holderOf(name);
      const known = fresh ? undefined : recall(name);
      if (!fresh && held !== null && held.fresh > now() - maxAgeMs) {
        // The source may have been asked since the profile was fetched.
        return known !== undefined && 'address' in known && known.began > held.fresh ? known.address : held.address;
      }
      try {
        const said = known ?? (await askInTime(name, fresh));
        if ('error' in said) throw said.error;
        // Everybody else finds the name in the profile of its former holder.
        if (fresh && held !== null && held.address !== said.address) await renew(held.address);
        return said.address;
      } catch (error) {
        // What was true when we could last look is better than nothing.
        if (held !== null && error instanceof RemoteError) return held.address;
        throw error;
      }
    },
  };
}
