import type { Logger } from 'pino';
import type { MonotonicMs, UnixMs } from '../../async/unix-time.ts';
import type { Address } from '../../protocol/hex.ts';
import { isTransient, RemoteError } from '../../remote/remote-error.ts';
import type { Reader, Store, Transaction } from '../../store/store.ts';
import type { ImageGateways } from '../image-url.ts';
import { type FetchedProfile, outcomeOf, type ProfileSource, UnresolvableError } from '../profile-source.ts';
import { writeFetched } from '../write-profiles.ts';
import {
  type Candidate,
  closeAttempts,
  DueProfiles,
  type MembersSummary,
  openAttempts,
  type Retry,
} from './profile-queue.ts';

export interface RefreshOptions {
  readonly reader: Reader;
  readonly write: Store['transaction'];
  readonly source: ProfileSource;
  readonly gateways: ImageGateways;
  readonly maxAgeMs: number;
  readonly requestsPerSecond: number;
  readonly now: () => UnixMs;
  readonly monotonic: () => MonotonicMs;
  /** Rejects on shutdown. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Aborted on shutdown: requests that fail afterwards are not failures of the source. */
  readonly ending: AbortSignal;
  /** Counts the outcome of each account. */
  readonly onOutcome: (outcome: string) => void;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** Typical number of requests per call of the source; calls that need more wait for the rate limit. */
const REQUESTS_PER_CALL = 2;
const MAX_CONCURRENT_CALLS = 8;
/** Polling interval while no profile is due. */
const IDLE_MS = 1_000;
/** Each write ends cached answers with profiles, so profiles are written in batches. */
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
  const { source, now, monotonic, sleep, ending, requestsPerSecond, logger } = options;
  const interval = (1_000 * REQUESTS_PER_CALL) / requestsPerSecond;
  // A request that waits for the rate limit for more than a second would run into its timeout.
  const maxCalls = Math.min(MAX_CONCURRENT_CALLS, requestsPerSecond);
  // As many attempts as are made between two writes of profiles, because each batch is a write of its own.
  const batchSize = Math.min(Math.max(Math.floor(WRITE_MS / interval), 1), WRITE_COUNT);
  const due = new DueProfiles(options);
  const calls = new Set<Promise<void>>();
  let fetched = new Map<Address, FetchedProfile>();
  /** The attempts that have ended since the last write. */
  let ended = new Map<Address, Retry>();
  /** Accounts to remove from the queue with the next write, whether their refresh succeeded or not. */
  let done: Address[] = [];
  /** Accounts whose last fetch by this process failed because of the source. */
  const failing = new Set<Address>();
  let failedCalls = 0;
  let writtenAt = monotonic();
  let writtenSummary: MembersSummary | null = null;
  let fatal: Error | undefined;

  async function fetchProfile(candidate: Candidate): Promise<void> {
    const { address: account, name } = candidate;
    const result = await source.fetchProfile(account, name ?? '').catch((error: Error) => error);
    ending.throwIfAborted();
    options.onOutcome(outcomeOf(result));
    done.push(account);
    if (result instanceof Error) {
      ended.set(account, retryAfter(candidate, result));
      return;
    }
    onSuccess(account);
    fetched.set(account, result);
    const isWhole = Object.keys(result.errors).length === 0;
    ended.set(account, isWhole ? null : { attempts: 0, at: now() + RETRY_RECORDS_MS });
  }

  function retryAfter({ address: account, attempts: earlier }: Candidate, error: Error): Retry {
    const attempts = (earlier ?? 0) + 1;
    const isOfSource = error instanceof RemoteError && !(error instanceof UnresolvableError);
    if (!(error instanceof RemoteError)) logger.warn({ err: error, account }, 'profile fetch failed unexpectedly');
    // Once per account, and not for each account during an outage.
    else if (attempts === 1 && !isOfSource) logger.info({ err: error, account }, 'profile cannot be fetched');
    else logger.debug({ err: error, account }, 'profile fetch failed');
    if (!isOfSource) onSuccess(account);
    else onFailure(account, error);
    return { attempts, at: now() + (isOfSource ? retryDelay(error, attempts) : RETRY_MS) };
  }

  function onFailure(account: Address, error: RemoteError): void {
    // A repeated failure of one account is no evidence of an outage.
    if (failing.has(account)) return;
    failing.add(account);
    failedCalls += 1;
    if (failedCalls === OUTAGE_CALLS) {
      logger.warn({ err: error }, 'profile source unavailable, profiles are not refreshed');
    }
  }

  function onSuccess(account: Address): void {
    failing.delete(account);
    if (failedCalls >= OUTAGE_CALLS) logger.info('profile source available again');
    failedCalls = 0;
  }

  async function writeDone(): Promise<void> {
    writtenAt = monotonic();
    const { summary } = due;
    if (summary !== null && summary !== writtenSummary) {
      writtenSummary = summary;
      await options.write((tx) => writeSummary(tx, summary));
    }
    if (done.length === 0) return;
    const [profiles, attempts, accounts] = [fetched, ended, done];
    fetched = new Map();
    ended = new Map();
    done = [];
    await options.write(async (tx) => {
      await writeFetched(tx, profiles, options.gateways, now());
      await tx.remove(
        'wanted_profiles',
        accounts.map((address) => ({ address })),
      );
      await closeAttempts(tx, attempts);
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

  async function pause(ms: number): Promise<void> {
    if (fatal !== undefined) throw fatal;
    if (done.length >= WRITE_COUNT || monotonic() - writtenAt >= WRITE_MS) await writeDone();
    await sleep(ms);
  }

  /** Stores that the attempts begin, and makes them. */
  async function attemptAll(candidates: readonly Candidate[]): Promise<void> {
    if (candidates.length > 0) await options.write((tx) => openAttempts(tx, candidates, now()));
    for (const candidate of candidates) {
      startCall(candidate);
      if (calls.size >= (failedCalls < OUTAGE_CALLS ? maxCalls : 1)) await Promise.race(calls);
      await pause(Math.max(interval, outagePause(failedCalls)));
    }
  }

  /** Repeats an attempt during which the process ended. If it ends again, no other account is attempted with it. */
  async function attemptAlone(candidate: Candidate): Promise<void> {
    await Promise.all(calls);
    await writeDone();
    await attemptAll([candidate]);
    await Promise.all(calls);
    await writeDone();
  }

  try {
    for (;;) {
      const { due: batch, upToDate } = await due.take(batchSize);
      done.push(...upToDate);
      await attemptAll(batch.filter(({ isOpen }) => isOpen !== 1));
      for (const candidate of batch.filter(({ isOpen }) => isOpen === 1)) await attemptAlone(candidate);
      if (batch.length === 0) await pause(IDLE_MS);
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
