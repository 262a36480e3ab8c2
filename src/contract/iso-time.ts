const DAY_SECONDS = 86_400;
const TWO_DIGITS = Array.from({ length: 60 }, (_, i) => String(i).padStart(2, '0'));
const MAX_DATES = 10_000;
const dates = new Map<number, string>();

/** Unix seconds as ISO 8601 with milliseconds. Caching the dates saves a tenth of a page of followers. */
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
