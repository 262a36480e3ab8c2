import type { Hex } from '../protocol/hex.ts';
import { OPCODES, type Opcode } from '../protocol/list-op.ts';
import { addressOf, LAST_SCRIPTED } from './accounts.ts';
import type { DemoOptions } from './demo-options.ts';
import { encodeOp, MALFORMED_OPS } from './encode.ts';
import { createFollows } from './follows.ts';
import { createLists, type Home } from './lists.ts';
import type { LogWriter } from './log-writer.ts';
import { below, choose, createRandom, streamOf } from './random.ts';
import { createTagOf, LATER_TAGS } from './tags.ts';

const CHANCES = { junk: 0.01, tagFirst: 0.25, unfollow: 0.25, tag: 0.12, untag: 0.25, malformed: 0.01 };
/** Each quirk occurs once per this many accounts. */
const QUIRK_PERIOD = 512;
/** No account beyond this one burns its list, so that burns stay rare in a large graph. */
const LAST_BURNER = 1000;

/** The activity of the accounts, each call at one time. */
export function createSessions(options: DemoOptions, writer: LogWriter) {
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

    act(account: number, opcode: Opcode, target: number, suffix?: Hex): void {
      writeOp(lists.homeOf(account), opcode, target, suffix);
    },

    mintOrphan(owner: number): void {
      lists.mintOrphan(addressOf(seed, owner));
    },
  };
}
