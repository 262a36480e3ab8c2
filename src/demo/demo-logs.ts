import { type Address, type Hex, textToHex } from '../protocol/hex.ts';
import { OPCODES, type Opcode, plainOp } from '../protocol/list-op.ts';
import type { RawLog } from '../protocol/parse-log.ts';
import { addressOf, type DemoOptions, LAST_SCRIPTED } from './accounts.ts';
import { createFollows } from './follows.ts';
import { createLists, createLogWriter, type Home, type LogWriter, startOf } from './lists.ts';
import { below, choose, createRandom, mix, mixFraction, streamOf } from './random.ts';
import { SCRIPTED_ACTIONS, type ScriptedAction } from './script.ts';

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
  const script = [...SCRIPTED_ACTIONS];

  // Owned by an address outside of the accounts.
  for (let i = 0; i < ORPHAN_LISTS; i++) sessions.mintOrphan(accounts);
  for (let session = 0; session < sessionCount; session++) {
    const time = start + Math.floor(span * ((session + 1) / sessionCount) ** GROWTH);
    for (let [action] = script; action && now - action.secondsAgo <= time; [action] = script) {
      writer.moveTo(now - action.secondsAgo);
      sessions.act(action);
      script.shift();
    }
    writer.moveTo(time);
    const joined = Math.ceil(session / SESSIONS_PER_ACCOUNT);
    if (session % SESSIONS_PER_ACCOUNT === 0) sessions.join(joined);
    else sessions.visit(below(random, joined));
    yield* writer.take();
  }
}

/** `suffix` is the bytes after the record's address: a tag, or junk. */
export function encodeOp(opcode: Opcode, record: Address, suffix: Hex = '0x'): Hex {
  return `${plainOp(opcode, record)}${suffix.slice(2)}`;
}

/** List ops that indexers must ignore, one of each kind. */
const MALFORMED_OPS: readonly ((record: Address) => Hex)[] = [
  (record) => encodeOp(1, record).slice(0, -2) as Hex,
  () => '0x',
  (record) => `0x02${encodeOp(1, record).slice(4)}`,
  (record) => `0x0109${encodeOp(1, record).slice(6)}`,
  (record) => `0x01010102${record.slice(2)}`,
  (record) => encodeOp(3, record),
  (record) => encodeOp(3, record, textToHex(' \0 ')),
  (record) => encodeOp(3, record, '0xff80'),
  (record) => encodeOp(4, record, textToHex('long'.repeat(64))),
];

const TAGGED_SHARE = 0.08;

/** Not normalised: indexers must trim, drop NULs and lower-case. Repetition is the weight. */
const TAGS = [
  ...['top8', 'top8', 'top8', 'top8', 'top8', 'TOP8', 'mute', 'mute', 'mute', 'block', 'block', 'Block'],
  ...['gm', 'frens', 'Builders', '  irl  ', '🔥', '🦄 Frens', 'ENS', 'family', 'artist', 'dao\0\0', 'Œuvre', '茶'],
].map(textToHex);

/** The tag of the `nth` follow of an account; undefined for most. */
function createTagOf(seed: number): (account: number, nth: number) => Hex | undefined {
  const tags = streamOf(seed, 'tag');
  return (account, nth) => {
    const fraction = mixFraction(mix(tags, account), nth);
    return fraction < TAGGED_SHARE ? choose(TAGS, fraction / TAGGED_SHARE) : undefined;
  };
}

const LATER_TAGS = ['top8', 'gm', 'Collab', ' wagmi '].map(textToHex);

const CHANCES = { junk: 0.01, tagFirst: 0.25, unfollow: 0.25, tag: 0.12, untag: 0.25, malformed: 0.01 };
/** Each quirk occurs once per this many accounts. */
const QUIRK_PERIOD = 512;
/** No account beyond this one burns its list, so that burns stay rare in a large graph. */
const LAST_BURNER = 1000;

/** The activity of the accounts, each call at one time. */
function createSessions(options: DemoOptions, writer: LogWriter) {
  const { accounts, seed } = options;
  const lists = createLists(options, writer);
  const follows = createFollows(options);
  const tagOf = createTagOf(seed);
  const random = createRandom(streamOf(seed, 'session'));
  const followed = new Uint16Array(accounts);
  const visited = new Uint8Array(accounts);

  function writeOp(home: Home, opcode: Opcode, target: number, suffix?: Hex): void {
    lists.writeOp(home, encodeOp(opcode, addressOf(seed, target), suffix));
  }

  function follow(home: Home, account: number, nth: number, target: number): void {
    const tag = tagOf(account, nth);
    const tagFirst = tag !== undefined && random() < CHANCES.tagFirst;
    if (tagFirst) writeOp(home, OPCODES.tag, target, tag);
    const junk = random() < CHANCES.junk ? choose(LATER_TAGS, random()) : undefined;
    writeOp(home, OPCODES.follow, target, junk);
    if (tag !== undefined && !tagFirst) writeOp(home, OPCODES.tag, target, tag);
  }

  /** Follows targets `from` to `to` of the account. Returns all targets up to `to`. */
  function followRange(account: number, from: number, to: number): number[] {
    const home = lists.homeOf(account);
    const targets = follows.targetsOf(account, to);
    for (let nth = from; nth < to; nth++) follow(home, account, nth, targets[nth] as number);
    return targets;
  }

  function followMore(account: number, share: number): number[] {
    const degree = follows.degreeOf(account);
    const from = followed[account] ?? 0;
    const to = Math.min(degree, from + Math.ceil(degree * share));
    followed[account] = to;
    return followRange(account, from, to);
  }

  function changeOneFollow(account: number, targets: readonly number[]): void {
    if (targets.length === 0) return;
    const home = lists.homeOf(account);
    const nth = below(random, targets.length);
    const target = targets[nth] as number;
    const tag = tagOf(account, nth);
    if (tag !== undefined && random() < CHANCES.untag) writeOp(home, OPCODES.untag, target, tag);
    else if (random() < CHANCES.tag) writeOp(home, OPCODES.tag, target, choose(LATER_TAGS, random()));
    else if (random() < CHANCES.unfollow) writeOp(home, OPCODES.unfollow, target);
    if (random() < CHANCES.malformed) lists.writeOp(home, choose(MALFORMED_OPS, random())(addressOf(seed, target)));
  }

  /** An unusual change of a list, made on the account's first visit. */
  function applyQuirk(account: number): void {
    const refollow = () => followRange(account, 0, followed[account] ?? 0);
    const quirk = (account % QUIRK_PERIOD) - LAST_SCRIPTED;
    if (quirk === 1) lists.transfer(account, addressOf(seed, below(random, accounts)));
    if (quirk === 2 && account < LAST_BURNER) lists.burn(account);
    if (quirk === 3) lists.move(account, refollow);
    if (quirk === 4) {
      lists.mint(account);
      refollow();
    }
    if (quirk === 5) lists.mintOrphan(addressOf(seed, account));
  }

  return {
    /** The account mints its list and follows its first accounts. */
    join(account: number): void {
      lists.mint(account);
      followMore(account, 0.5);
    },

    /** The account follows a few more accounts, and sometimes unfollows or retags one. */
    visit(account: number): void {
      if (!lists.hasList(account)) return;
      changeOneFollow(account, followMore(account, 0.25));
      if (visited[account] === 1) return;
      visited[account] = 1;
      applyQuirk(account);
    },

    act({ account, opcode, target, suffix }: ScriptedAction): void {
      writeOp(lists.homeOf(account), opcode, target, suffix);
    },

    mintOrphan(owner: number): void {
      lists.mintOrphan(addressOf(seed, owner));
    },
  };
}
