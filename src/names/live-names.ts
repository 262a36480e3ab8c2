import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { withDeadline } from '../deadline.ts';
import type { Limiter } from '../limit.ts';
import type { Address } from '../protocol/hex.ts';
import { RemoteError } from '../remote/remote-error.ts';
import { createSharedWork } from '../shared-work.ts';
import type { Holder, NameSource } from './name-source.ts';
import type { ProfileSource } from './profile-source.ts';

export interface LiveNamesOptions {
  readonly source: ProfileSource;
  readonly holderOf: (name: string) => Promise<Holder | null>;
  /** Bounds what is asked of the source at a time. */
  readonly limiter: Limiter;
  /** A stored profile that is older is no longer taken at its word. */
  readonly maxAgeMs: number;
  /** How long an answer waits for the source. */
  readonly deadlineMs: number;
  readonly now: () => number;
  readonly logger: Pick<Logger, 'warn'>;
}

/** How long an answer of the source stands: that a name leads nowhere, too. */
const REMEMBERED_MS = 60_000;
/** How long a failure stands, so that a burst of questions does not become one of requests. */
const FAILURE_MS = 5_000;
const MAX_REMEMBERED = 10_000;

type Said = { readonly until: number } & ({ readonly address: Address | null } | { readonly error: RemoteError });

/** Answers from profiles that are fresh, else from the source; from older ones while it cannot tell. */
export function createLiveNames(options: LiveNamesOptions): NameSource {
  const { source, holderOf, limiter, maxAgeMs, deadlineMs, now, logger } = options;
  const remembered = new LRUCache<string, Said>({ max: MAX_REMEMBERED });
  const shared = createSharedWork<Said>();

  async function ask(name: string, fresh: boolean): Promise<Said> {
    const began = now();
    let said: Said;
    try {
      const address = await limiter.run(() => source.fetchHolder(name, { fresh }));
      said = { address, until: began + REMEMBERED_MS };
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      logger.warn({ err: error, name }, 'the source of names cannot tell who holds a name');
      said = { error, until: now() + FAILURE_MS };
    }
    remembered.set(name, said);
    return said;
  }

  const late = () => new RemoteError(source.kind, 'name', { kind: 'timeout' });

  return {
    async addressOf(name, { fresh }) {
      const held = await holderOf(name);
      if (!fresh && held !== null && held.fresh > now() - maxAgeMs) return held.address;
      const known = fresh ? undefined : remembered.get(name);
      try {
        const said =
          known !== undefined && known.until > now()
            ? known
            : await withDeadline(
                shared.run(`${fresh} ${name}`, () => ask(name, fresh)),
                deadlineMs,
                late,
              );
        if ('address' in said) return said.address;
        throw said.error;
      } catch (error) {
        // What was true when we could last look is better than nothing.
        if (held !== null && error instanceof RemoteError) return held.address;
        throw error;
      }
    },
  };
}
