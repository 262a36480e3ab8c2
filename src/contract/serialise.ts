import type { Static, TSchema } from '@sinclair/typebox';
import { Type } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import {
  BadgeEntry,
  Collection,
  Ens,
  Follower,
  LeaderboardEntry,
  Notification,
  NotificationSummary,
  Ranks,
} from './schemas.ts';

function serialiser<S extends TSchema>(schema: S): (value: Static<S>) => string {
  return fastJson(schema as object as fastJson.Schema);
}

/** An entry as it is kept: the time is that of the whole leaderboard and is added when it is read. */
const LeaderboardRow = Type.Omit(LeaderboardEntry, ['updated_at'], { additionalProperties: false });
export type LeaderboardRow = Static<typeof LeaderboardRow>;

export const serialiseRanks = serialiser(Ranks);
export const serialiseEns = serialiser(Ens);
export const serialiseCollection = serialiser(Collection);
export const serialiseBadgeEntry = serialiser(BadgeEntry);
export const serialiseLeaderboardRow = serialiser(LeaderboardRow);
export const serialiseNotification = serialiser(Notification);
export const serialiseSummary = serialiser(NotificationSummary);
export const serialiseFollower = serialiser(Follower);

const DAY_SECONDS = 86_400;
const TWO_DIGITS = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));
const MAX_DATES = 10_000;
const dates = new Map<number, string>();

/** Unix seconds as ISO 8601 with milliseconds. Bulk loads ask for every row: dates that are made once save a tenth. */
export function isoFromSeconds(seconds: number): string {
  const day = Math.floor(seconds / DAY_SECONDS);
  let date = dates.get(day);
  if (date === undefined) {
    if (dates.size >= MAX_DATES) dates.clear();
    date = new Date(day * DAY_SECONDS * 1000).toISOString().slice(0, 'yyyy-mm-dd'.length);
    dates.set(day, date);
  }
  const rest = seconds - day * DAY_SECONDS;
  const minutes = Math.floor(rest / 60);
  return `${date}T${TWO_DIGITS[Math.floor(minutes / 60)]}:${TWO_DIGITS[minutes % 60]}:${TWO_DIGITS[rest % 60]}.000Z`;
}
