import { textToHex } from '../protocol/hex.ts';
import { OPCODES } from '../protocol/list-op.ts';
import { TOP_ACCOUNT } from './accounts.ts';

export type ScriptedAction = ReturnType<typeof action>;

type Ago = `${number}${'d' | 'h' | 'min'}`;
const SECONDS = { d: 86_400, h: 3_600, min: 60 } as const;

function toSeconds(moment: Ago): number {
  const unit = moment.endsWith('min') ? 'min' : moment.endsWith('h') ? 'h' : 'd';
  return Number.parseFloat(moment) * SECONDS[unit];
}

function action(moment: Ago, account: number, op: keyof typeof OPCODES, target: number, tag?: string) {
  const suffix = tag === undefined ? undefined : textToHex(tag);
  return { secondsAgo: toSeconds(moment), account, opcode: OPCODES[op], target, suffix };
}

/**
 * Scripted actions between the top account and accounts 1 to `LAST_SCRIPTED`, in time order. Every interval of its
 * notifications (hour, day, week, month) contains all four opcodes, however small the graph.
 */
export const SCRIPTED_ACTIONS: readonly ScriptedAction[] = [
  action('80d', 1, 'follow', TOP_ACCOUNT),
  action('79d', 1, 'tag', TOP_ACCOUNT, 'top8'),
  action('78d', TOP_ACCOUNT, 'follow', 1),
  action('78d', TOP_ACCOUNT, 'tag', 1, 'top8'),
  action('70d', 2, 'follow', TOP_ACCOUNT),
  action('66d', 3, 'follow', TOP_ACCOUNT),
  action('65d', 3, 'tag', TOP_ACCOUNT, 'Mentor'),
  action('64d', TOP_ACCOUNT, 'follow', 2),
  action('60d', 4, 'follow', TOP_ACCOUNT),
  action('50d', 5, 'follow', TOP_ACCOUNT),
  // A self-follow is stored but not counted.
  action('49d', 5, 'follow', 5),
  action('45d', 6, 'follow', TOP_ACCOUNT),
  action('44d', 6, 'tag', TOP_ACCOUNT, 'gm'),
  action('43d', TOP_ACCOUNT, 'follow', 6),
  action('43d', TOP_ACCOUNT, 'tag', 6, 'mute'),
  action('40d', 7, 'follow', TOP_ACCOUNT),
  action('34d', 15, 'follow', TOP_ACCOUNT),
  action('25d', 8, 'follow', TOP_ACCOUNT),
  action('24d', 8, 'tag', TOP_ACCOUNT, 'top8'),
  action('24d', TOP_ACCOUNT, 'follow', 8),
  action('16d', 9, 'follow', TOP_ACCOUNT),
  action('15d', TOP_ACCOUNT, 'follow', 9),
  action('15d', TOP_ACCOUNT, 'tag', 9, 'block'),
  action('12d', 2, 'tag', TOP_ACCOUNT, 'top8'),
  action('9d', 10, 'follow', TOP_ACCOUNT),
  action('8d', TOP_ACCOUNT, 'follow', 10),
  action('8d', TOP_ACCOUNT, 'tag', 10, 'mute'),
  action('5d', 11, 'follow', TOP_ACCOUNT),
  action('4d', 11, 'tag', TOP_ACCOUNT, '🔥'),
  action('3d', 3, 'untag', TOP_ACCOUNT, 'mentor'),
  action('2d', 4, 'unfollow', TOP_ACCOUNT),
  action('20h', 5, 'tag', TOP_ACCOUNT, 'TOP8'),
  action('18h', 12, 'follow', TOP_ACCOUNT),
  action('11h', 6, 'untag', TOP_ACCOUNT, 'gm'),
  action('6h', 7, 'unfollow', TOP_ACCOUNT),
  action('3h', TOP_ACCOUNT, 'follow', 12),
  action('40min', 13, 'follow', TOP_ACCOUNT),
  action('38min', 13, 'tag', TOP_ACCOUNT, 'top8'),
  action('33min', 15, 'unfollow', TOP_ACCOUNT),
  // A tag that precedes its record.
  action('12min', 14, 'tag', TOP_ACCOUNT, 'Builders'),
  action('12min', 14, 'follow', TOP_ACCOUNT),
  action('8min', 8, 'untag', TOP_ACCOUNT, 'top8'),
  action('2min', 1, 'tag', TOP_ACCOUNT, ' gm '),
];
