import { textToHex } from '../protocol/hex.ts';
import type { RawLog } from '../protocol/parse-log.ts';
import type { DemoOptions } from './demo-options.ts';
import { createLogWriter, startOf } from './log-writer.ts';
import { below, createRandom, mix, streamOf } from './random.ts';
import { SCRIPT, type Scene } from './script.ts';
import { createSessions } from './sessions.ts';

/** Fewer could not hold the cast, its audience and the unusual lists. */
const MIN_ACCOUNTS = 50;
/** One to join, the others to come back. */
const SESSIONS_PER_ACCOUNT = 4;
/** Below 1 the graph grows faster and faster. */
const GROWTH = 0.6;
/** Chains are a little behind the clock. */
const LAST_SECONDS = 30;
/** Lists that were minted before anybody joined, and that no account calls its own. */
export const ORPHAN_LISTS = 3;

/**
 * The logs of an invented social graph, in order of time. Memory grows by a few bytes per account, not with the
 * follows: what an account did before is drawn from the seed again when it comes back.
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
  const play = ({ secondsAgo, actor, opcode, target, tag }: Scene): void => {
    writer.moveTo(now - secondsAgo);
    sessions.act(actor, opcode, target, tag === undefined ? undefined : textToHex(tag));
  };

  // Their owner is none of the accounts either.
  for (let i = 0; i < ORPHAN_LISTS; i++) sessions.mintOrphan(accounts);
  let played = 0;
  for (let session = 0; session < sessionCount; session++) {
    const time = start + Math.floor(span * ((session + 1) / sessionCount) ** GROWTH);
    for (let scene = SCRIPT[played]; scene && now - scene.secondsAgo <= time; scene = SCRIPT[++played]) play(scene);
    writer.moveTo(time);
    const joined = Math.ceil(session / SESSIONS_PER_ACCOUNT);
    if (session % SESSIONS_PER_ACCOUNT === 0) sessions.join(joined);
    else sessions.visit(below(random, joined));
    yield* writer.take();
  }
}
