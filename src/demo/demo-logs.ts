import { textToHex } from '../protocol/hex.ts';
import type { RawLog } from '../protocol/parse-log.ts';
import type { DemoOptions } from './demo-options.ts';
import { createLogWriter, startOf } from './log-writer.ts';
import { below, createRandom, mix, streamOf } from './random.ts';
import { SCRIPTED_ACTIONS, type ScriptedAction } from './script.ts';
import { createSessions } from './sessions.ts';

/** The script, its followers and the lists with quirks need this many. */
const MIN_ACCOUNTS = 50;
/** The first one joins, the others are visits. */
const SESSIONS_PER_ACCOUNT = 4;
/** Exponent of the timeline: below 1, activity increases with time. */
const GROWTH = 0.6;
/** Distance of the last block from the current time. */
const LAST_SECONDS = 30;
/** Lists minted first, which are no account's primary list. */
export const ORPHAN_LISTS = 3;

/**
 * Generates the logs of a social graph in time order. Uses a few bytes of memory per account and none per follow:
 * earlier choices of an account are drawn from the seed again.
 */
export function* demoLogs(options: DemoOptions): Generator<RawLog> {
  const { accounts, seed, now } = options;
  if (accounts < MIN_ACCOUNTS) throw new RangeError(`accounts: expected ${MIN_ACCOUNTS} or more, got ${accounts}`);
  const start = startOf(options);
  const span = now - LAST_SECONDS - start;
  const sessionCount = accounts * SESSIONS_PER_ACCOUNT;
  const writer = createLogWriter(options);
  const sessions = createSessions(options, writer);
  const random = createRandom(mix(streamOf(seed, 'session'), 1));
  const applyScripted = ({ secondsAgo, account, opcode, target, tag }: ScriptedAction): void => {
    writer.moveTo(now - secondsAgo);
    sessions.act(account, opcode, target, tag === undefined ? undefined : textToHex(tag));
  };

  // Owned by an address outside of the accounts.
  for (let i = 0; i < ORPHAN_LISTS; i++) sessions.mintOrphan(accounts);
  let nextAction = 0;
  for (let session = 0; session < sessionCount; session++) {
    const time = start + Math.floor(span * ((session + 1) / sessionCount) ** GROWTH);
    for (
      let action = SCRIPTED_ACTIONS[nextAction];
      action && now - action.secondsAgo <= time;
      action = SCRIPTED_ACTIONS[++nextAction]
    )
      applyScripted(action);
    writer.moveTo(time);
    const joined = Math.ceil(session / SESSIONS_PER_ACCOUNT);
    if (session % SESSIONS_PER_ACCOUNT === 0) sessions.join(joined);
    else sessions.visit(below(random, joined));
    yield* writer.take();
  }
}
