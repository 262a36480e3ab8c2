import { type BinaryString, toBinary } from './binary-string.ts';
import type { AccountDetails, NotificationSummary } from './schemas.ts';
import { serialiseBadgeEntry, serialiseRanks, serialiseSummary } from './serialise.ts';

/** Response bodies, built from parts that were serialised when they were stored. Entries are joined with commas. */

export function notificationsBody(summary: NotificationSummary, entries: BinaryString): BinaryString {
  // Safe, here and below: the text around the entries is ASCII.
  return `{"summary":${serialiseSummary(summary)},"notifications":[${entries}]}` as BinaryString;
}

export function leaderboardBody(lastUpdated: string, entries: readonly BinaryString[]): BinaryString {
  return `{"last_updated":"${lastUpdated}","results":[${entries.join(',')}]}` as BinaryString;
}

/** Takes serialised collections by event; null or missing means that the badge is not held. */
export function createBadgesBody(
  events: readonly string[],
): (collections: ReadonlyMap<string, string | null>) => BinaryString {
  const known = events.map((eventId) => ({
    eventId,
    absent: serialiseBadgeEntry({ eventId, participated: false, collection: null }),
    start: `{"eventId":${JSON.stringify(eventId)},"participated":true,"collection":`,
  }));
  return (collections) => {
    const entries = known.map(({ eventId, absent, start }) => {
      const collection = collections.get(eventId) ?? null;
      return collection === null ? absent : `${start}${collection}}`;
    });
    return toBinary(`{"poaps":[${entries.join(',')}]}`);
  };
}

export function detailsBody(details: Omit<AccountDetails, 'ens'> & { ens: string }): BinaryString {
  const { address, ens, ranks, primary_list } = details;
  return toBinary(
    `{"address":${JSON.stringify(address)},"ens":${ens},"ranks":${serialiseRanks(ranks)},"primary_list":${JSON.stringify(primary_list)}}`,
  );
}
