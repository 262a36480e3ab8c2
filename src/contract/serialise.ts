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

/** Unix seconds as ISO 8601 with milliseconds. */
export function isoFromSeconds(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
