const number = new Intl.NumberFormat('en');
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });
const dateTime = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' });
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

export const formatNumber = (value: number | string): string => number.format(Number(value));
export const formatDate = (time: string | number): string => date.format(new Date(time));
export const formatDateTime = (time: string | number): string => dateTime.format(new Date(time));

export const isAddress = (text: string): boolean => /^0x[0-9a-f]{40}$/i.test(text);
export const shortAddress = (address: string): string => `${address.slice(0, 6)}…${address.slice(-4)}`;

/** The parts of a name of which each has a direction of its own. Only letters beyond ASCII run from right to left. */
export const labelsOf = (name: string): readonly string[] => (/[^ -~]/.test(name) ? name.split('.') : [name]);

/** A name in plain text: marks keep its labels from left to right, and what stands around it in place. */
export function isolate(name: string): string {
  const labels = labelsOf(name);
  const text = labels.length === 1 ? name : labels.map((label) => `\u2068${label}\u2069`).join('.');
  return `\u2066${text}\u2069`;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** For example "3 hours ago". */
export function formatAge(time: string | number, now = Date.now()): string {
  const seconds = (new Date(time).getTime() - now) / 1000;
  for (const [unit, length] of UNITS) {
    if (Math.abs(seconds) >= length) return relative.format(Math.round(seconds / length), unit);
  }
  return relative.format(Math.round(seconds), 'second');
}
