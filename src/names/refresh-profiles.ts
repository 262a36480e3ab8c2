import type { Logger } from 'pino';
import type { Address } from '../protocol/hex.ts';
import { mayPass, RemoteError } from '../remote/remote-error.ts';
import type { Reader, Store } from '../store/store.ts';
import { DueProfiles } from './due-profiles.ts';
import type { ImageGateways } from './image-url.ts';
import type { FetchedProfile, ProfileSource } from './profile-source.ts';
import type { Candidate } from './wanted-profiles.ts';
import { writeFetched } from './write-profiles.ts';

export interface RefreshOptions {
  readonly reader: Reader;
  readonly write: Store['transaction'];
  readonly source: ProfileSource;
  readonly gateways: ImageGateways;
  readonly maxAgeMs: number;
  readonly requestsPerSecond: number;
  readonly now: () => number;
  /** Rejects when the end has come. */
  readonly sleep: (ms: number) => Promise<void>;
  /** Comes with the end: what is not answered then is nobody's fault. */
  readonly ending: AbortSignal;
  readonly logger: Pick<Logger, 'info' | 'warn' | 'debug'>;
}

/** What a call of the source usually takes; where it takes more, requests wait for their turn (`createPacedFetch`). */
const REQUESTS_PER_CALL = 2;
const MAX_CALLS_AT_ONCE = 8;
/** Pause between two looks when nothing is due. */
const IDLE_MS = 1_000;
/** Every write makes cached answers count no longer, so profiles are written in company. */
const WRITE_MS = 5_000;
const WRITE_COUNT = 100;
/** An account that the source could tell nothing about, or nothing that is fresh, is tried again after this time. */
const RETRY_MS = 600_000;
/** Or after this, and twice as long each time, if it is the source that failed and not what was asked of it. */
const RETRY_SOON_MS = 5_000;
/** One of whose records some failed, after this. */
const RETRY_RECORDS_MS = 3_600_000;
/** So many failed calls in a row are an outage, in which there is no hurry. */
const OUTAGE_CALLS = 3;
const LONGEST_PAUSE_MS = 60_000;

/** Keeps the profiles of the leaderboard, and those that are asked for, no older than they may be. */
export async function refreshProfiles(options: RefreshOptions): Promise<never> {
  const { source, now, sleep, ending, maxAgeMs, requestsPerSecond, logger } = options;
  const spacing = (1_000 * REQUESTS_PER_CALL) / requestsPerSecond;
  // No more than have their turn within a second: waiting for it counts as a part of the request.
  const callsAtOnce = Math.min(MAX_CALLS_AT_ONCE, requestsPerSecond);
  const due = new DueProfiles(options);
  const calls = new Set<Promise<void>>();
  let fetched = new Map<Address, FetchedProfile>();
  /** Tried, whatever came of it, or not in need of it: nobody waits for them any more. */
  let done: Address[] = [];
  /** How often in a row the source has failed to tell of an account: when it fails again, that says nothing of others. */
  const failing = new Map<Address, number>();
  let failures = 0;
  let written = now();
  let broken: Error | undefined;

  async function fetchBatch(candidates: readonly Candidate[]): Promise<void> {
    const accounts = candidates.map(({ address }) => address);
    const names = new Map(candidates.map(({ address, name }) => [address, name ?? '']));
    const answers = await source.fetchProfiles(accounts, { fresh: false, names });
    ending.throwIfAborted();
    const isAnswer = (answer: FetchedProfile | RemoteError) => !(answer instanceof RemoteError);
    const answersOthers = [...answers.values()].some(isAnswer);
    let failed: RemoteError | undefined;
    let isNews = false;
    for (const account of accounts) {
      const answer = answers.get(account);
      if (answer === undefined || answer instanceof RemoteError) {
        failed = answer;
        const times = (failing.get(account) ?? 0) + 1;
        isNews ||= times === 1;
        failing.set(account, times);
        due.postpone(account, now() + (answersOthers ? RETRY_MS : retryAfter(answer, times)));
        logger.debug({ err: answer, account }, 'a profile could not be fetched');
      } else {
        failing.delete(account);
        fetched.set(account, answer);
        if (Object.keys(answer.errors).length > 0) due.postpone(account, now() + RETRY_RECORDS_MS);
        // It has a cache that outlasts the age that profiles may have.
        else if (answer.fresh < now() - maxAgeMs) due.postpone(account, now() + RETRY_MS);
      }
      done.push(account);
    }
    if (answersOthers) recovered();
    else if (isNews) failedAnew(failed);
  }

  function failedAnew(error: RemoteError | undefined): void {
    failures += 1;
    if (failures === OUTAGE_CALLS) logger.warn({ err: error }, 'the source of names does not answer: profiles age');
  }

  function recovered(): void {
    if (failures >= OUTAGE_CALLS) logger.info('the source of names answers again');
    failures = 0;
  }

  async function writeDone(): Promise<void> {
    written = now();
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
    due.settle(accounts);
  }

  function start(candidates: readonly Candidate[]): void {
    const call = fetchBatch(candidates)
      .catch((error: Error) => {
        broken ??= error;
      })
      .finally(() => calls.delete(call));
    calls.add(call);
  }

  try {
    for (;;) {
      const { due: candidates, needless } = await due.take(source.batchSize);
      done.push(...needless);
      if (candidates.length > 0) start(candidates);
      if (calls.size >= (failures < OUTAGE_CALLS ? callsAtOnce : 1)) await Promise.race(calls);
      if (broken !== undefined) throw broken;
      if (done.length >= WRITE_COUNT || now() - written >= WRITE_MS) await writeDone();
      await sleep(candidates.length === 0 ? IDLE_MS : Math.max(spacing, outagePause(failures)));
    }
  } finally {
    await Promise.allSettled(calls);
  }
}

function retryAfter(error: RemoteError | undefined, times: number): number {
  if (error === undefined || !mayPass(error.fault)) return RETRY_MS;
  return Math.min(RETRY_SOON_MS * 2 ** (times - 1), RETRY_MS);
}

function outagePause(failures: number): number {
  return failures < OUTAGE_CALLS ? 0 : Math.min(IDLE_MS * 2 ** (failures - OUTAGE_CALLS), LONGEST_PAUSE_MS);
}
