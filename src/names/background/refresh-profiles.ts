import type { Logger } from 'pino';
import type { UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { isTransient, RemoteError, requireRemote } from '../../remote/remote-error.ts';
import type { Reader, Store, Transaction } from '../../store/store.ts';
import type { ImageGateways } from '../image-url.ts';
import { outcomeOf } from '../measured-source.ts';
import { type FetchedProfile, type ProfileSource, UnresolvableError } from '../profile-source.ts';
import { writeFetched } from '../write-profiles.ts';
import { DueProfiles, type MembersSummary } from './due-profiles.ts';
import type { Candidate } from './profile-queue.ts';

export interface RefreshOptions {
  readonly reader: Reader;
  readonly write: Store['transaction'];
  readonly source: ProfileSource;
  readonly gateways: ImageGateways;
  readonly maxAgeMs: number;
  readonly requestsPerSecond: number;
  readonly now: () => UnixMs;
  /** Rejects on shutdown. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborted on shutdown: requests that fail afterwards are not failures of the source. */
  readonly ending: AbortSignal;
  /** Counts the outcome of each account. */
  readonly onOutcome: (outcome: string) => void;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** Typical number of requests per call of the source; calls that need more are slowed by `createRateLimitedFetch`. */
const REQUESTS_PER_CALL = 2;
const MAX_CONCURRENT_CALLS = 8;
/** Polling interval while no profile is due. */
const IDLE_MS = 1_000;
/** Every write invalidates the response cache, so profiles are written in batches. */
const WRITE_MS = 5_000;
const WRITE_COUNT = 100;
/** Retry interval for an account that failed permanently. */
const RETRY_MS = 600_000;
/** Initial backoff after a transient failure; doubles up to `RETRY_MS`. */
const TRANSIENT_RETRY_MS = 5_000;
/** Retry interval for a profile with failed records. */
const RETRY_RECORDS_MS = 3_600_000;
/** This many consecutive failed calls are an outage: back off and make one call at a time. */
const OUTAGE_CALLS = 3;
const MAX_OUTAGE_PAUSE_MS = 60_000;

/** Keeps the profiles of queued accounts and of the leaderboard no older than `maxAgeMs`. */
export async function refreshProfiles(options: RefreshOptions): Promise<never> {
  const { source, now, sleep, ending, requestsPerSecond, logger } = options;
  const interval = (1_000 * REQUESTS_PER_CALL) / requestsPerSecond;
  // A request that waits for the rate limit for more than a second would run into its timeout.
  const maxCalls = Math.min(MAX_CONCURRENT_CALLS, requestsPerSecond);
  const due = new DueProfiles(options);
  const calls = new Set<Promise<void>>();
  let fetched = new Map<Address, FetchedProfile>();
  /** Accounts to remove from the queue with the next write, whether their refresh succeeded or not. */
  let done: Address[] = [];
  /** Consecutive failures by account. A repeated failure of one account is no evidence of an outage. */
  const failuresOf = new Map<Address, number>();
  let failedCalls = 0;
  let writtenAt = now();
  let writtenSummary: MembersSummary | null = null;
  let fatal: Error | undefined;

  async function fetchProfile({ address: account, name }: Candidate): Promise<void> {
    const result = await source.fetchProfile(account, name ?? '').catch(requireRemote);
    ending.throwIfAborted();
    options.onOutcome(outcomeOf(result));
    done.push(account);
    if (result instanceof RemoteError) {
      postpone(account, result);
      return;
    }
    onSuccess();
    failuresOf.delete(account);
    fetched.set(account, result);
    if (Object.keys(result.errors).length > 0) due.postpone(account, now() + RETRY_RECORDS_MS);
  }

  function postpone(account: Address, error: RemoteError): void {
    const failures = (failuresOf.get(account) ?? 0) + 1;
    failuresOf.set(account, failures);
    const isSourceUp = error instanceof UnresolvableError;
    due.postpone(account, now() + (isSourceUp ? RETRY_MS : retryDelay(error, failures)));
    // Once per account, and not for each account during an outage.
    if (failures === 1 && isSourceUp) logger.info({ err: error, account }, 'profile cannot be fetched');
    else logger.debug({ err: error, account }, 'profile fetch failed');
    if (isSourceUp) onSuccess();
    else if (failures === 1) onFailure(error);
  }

  function onFailure(error: RemoteError): void {
    failedCalls += 1;
    if (failedCalls === OUTAGE_CALLS) {
      logger.warn({ err: error }, 'profile source unavailable, profiles are not refreshed');
    }
  }

  function onSuccess(): void {
    if (failedCalls >= OUTAGE_CALLS) logger.info('profile source available again');
    failedCalls = 0;
  }

  async function writeDone(): Promise<void> {
    writtenAt = now();
    const { summary } = due;
    if (summary !== null && summary !== writtenSummary) {
      writtenSummary = summary;
      await options.write((tx) => writeSummary(tx, summary));
    }
    if (done.length === 0) return;
    const [profiles, accounts] = [fetched, done];
    fetched = new Map();
    done = [];
    await options.write(async (tx) => {
      await writeFetched(tx, profiles, options.gateways);
      await tx.remove(
        'wanted_profiles',
        accounts.map((address) => ({ address })),
      );
    });
    due.release(accounts);
  }

  function startCall(candidate: Candidate): void {
    const call = fetchProfile(candidate)
      .catch((error: Error) => {
        fatal ??= error;
      })
      .finally(() => calls.delete(call));
    calls.add(call);
  }

  try {
    for (;;) {
      const {
        due: [candidate],
        upToDate,
      } = await due.take(1);
      done.push(...upToDate);
      if (candidate !== undefined) startCall(candidate);
      if (calls.size >= (failedCalls < OUTAGE_CALLS ? maxCalls : 1)) await Promise.race(calls);
      if (fatal !== undefined) throw fatal;
      if (done.length >= WRITE_COUNT || now() - writtenAt >= WRITE_MS) await writeDone();
      await sleep(candidate === undefined ? IDLE_MS : Math.max(interval, outagePause(failedCalls)));
    }
  } finally {
    await Promise.allSettled(calls);
  }
}

/** Stored with the counters of the indexer, where the serving processes read them for /metrics. */
function writeSummary(tx: Transaction, { members, stored, named, oldest }: MembersSummary): Promise<void> {
  return tx.upsert('counters', [
    { name: 'profiles', label: 'members', value: members },
    { name: 'profiles', label: 'stored', value: stored },
    { name: 'profiles', label: 'named', value: named },
    { name: 'profiles_oldest', label: '', value: Math.round(oldest / 1_000) },
  ]);
}

function retryDelay(error: RemoteError, failures: number): number {
  if (!isTransient(error.fault)) return RETRY_MS;
  return Math.min(TRANSIENT_RETRY_MS * 2 ** (failures - 1), RETRY_MS);
}

function outagePause(failedCalls: number): number {
  return failedCalls < OUTAGE_CALLS ? 0 : Math.min(IDLE_MS * 2 ** (failedCalls - OUTAGE_CALLS), MAX_OUTAGE_PAUSE_MS);
}
