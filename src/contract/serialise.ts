import type { Static, TObject } from '@sinclair/typebox';
import fastJson from 'fast-json-stringify';
import { BadgeEntry, Collection, Ens, Follower, Notification, NotificationSummary, Ranks } from './schemas.ts';

/**
 * `plain` are texts that can hold hex digits, numbers, times and our own words only. Not looking for characters to
 * escape in them saves a twentieth of a bulk load.
 */
export function serialiser<S extends TObject>(
  schema: S,
  plain: readonly (keyof S['properties'])[] = [],
): (value: Static<S>) => string {
  const unescaped = Object.fromEntries(plain.map((name) => [name, { type: 'string', format: 'unsafe' }]));
  const properties = { ...schema.properties, ...unescaped };
  return fastJson({ ...schema, properties } as object as fastJson.Schema);
}

export const serialiseRanks = serialiser(Ranks, [
  'mutuals_rank',
  'followers_rank',
  'following_rank',
  'top8_rank',
  'blocks_rank',
]);
export const serialiseEns = serialiser(Ens);
export const serialiseCollection = serialiser(Collection);
export const serialiseBadgeEntry = serialiser(BadgeEntry);
export const serialiseNotification = serialiser(Notification, ['address', 'token_id', 'action', 'op', 'updated_at']);
export const serialiseSummary = serialiser(NotificationSummary);
export const serialiseFollower = serialiser(Follower, ['address', 'svc_list_nft_token_id', 'updated_at']);

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
