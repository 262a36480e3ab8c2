import { OPCODES, type Opcode } from '../protocol/list-op.ts';
import { STAR } from './accounts.ts';

/** One scripted action; `tag` is set for tag and untag. */
export interface Scene {
  readonly secondsAgo: number;
  readonly actor: number;
  readonly opcode: Opcode;
  readonly target: number;
  readonly tag?: string;
}

type Moment = `${number}${'d' | 'h' | 'min'}`;
const SECONDS = { d: 86_400, h: 3_600, min: 60 } as const;

function toSeconds(moment: Moment): number {
  const unit = moment.endsWith('min') ? 'min' : moment.endsWith('h') ? 'h' : 'd';
  return Number.parseFloat(moment) * SECONDS[unit];
}

function scene(moment: Moment, actor: number, action: keyof typeof OPCODES, target: number, tag?: string): Scene {
  const base = { secondsAgo: toSeconds(moment), actor, opcode: OPCODES[action], target };
  return tag === undefined ? base : { ...base, tag };
}

/**
 * Scripted actions between the star and accounts 1 to `LAST_OF_CAST`, in time order. Every interval of the star's
 * notifications (hour, day, week, month) contains all four opcodes, however small the graph.
 */
export const SCRIPT: readonly Scene[] = [
  scene('80d', 1, 'follow', STAR),
  scene('79d', 1, 'tag', STAR, 'top8'),
  scene('78d', STAR, 'follow', 1),
  scene('78d', STAR, 'tag', 1, 'top8'),
  scene('70d', 2, 'follow', STAR),
  scene('66d', 3, 'follow', STAR),
  scene('65d', 3, 'tag', STAR, 'Mentor'),
  scene('64d', STAR, 'follow', 2),
  scene('60d', 4, 'follow', STAR),
  scene('50d', 5, 'follow', STAR),
  // A self-follow is stored but not counted.
  scene('49d', 5, 'follow', 5),
  scene('45d', 6, 'follow', STAR),
  scene('44d', 6, 'tag', STAR, 'gm'),
  scene('43d', STAR, 'follow', 6),
  scene('43d', STAR, 'tag', 6, 'mute'),
  scene('40d', 7, 'follow', STAR),
  scene('34d', 15, 'follow', STAR),
  scene('25d', 8, 'follow', STAR),
  scene('24d', 8, 'tag', STAR, 'top8'),
  scene('24d', STAR, 'follow', 8),
  scene('16d', 9, 'follow', STAR),
  scene('15d', STAR, 'follow', 9),
  scene('15d', STAR, 'tag', 9, 'block'),
  scene('12d', 2, 'tag', STAR, 'top8'),
  scene('9d', 10, 'follow', STAR),
  scene('8d', STAR, 'follow', 10),
  scene('8d', STAR, 'tag', 10, 'mute'),
  scene('5d', 11, 'follow', STAR),
  scene('4d', 11, 'tag', STAR, '🔥'),
  scene('3d', 3, 'untag', STAR, 'mentor'),
  scene('2d', 4, 'unfollow', STAR),
  scene('20h', 5, 'tag', STAR, 'TOP8'),
  scene('18h', 12, 'follow', STAR),
  scene('11h', 6, 'untag', STAR, 'gm'),
  scene('6h', 7, 'unfollow', STAR),
  scene('3h', STAR, 'follow', 12),
  scene('40min', 13, 'follow', STAR),
  scene('38min', 13, 'tag', STAR, 'top8'),
  scene('33min', 15, 'unfollow', STAR),
  // A tag that precedes its record.
  scene('12min', 14, 'tag', STAR, 'Builders'),
  scene('12min', 14, 'follow', STAR),
  scene('8min', 8, 'untag', STAR, 'top8'),
  scene('2min', 1, 'tag', STAR, ' gm '),
];
