import { safeLinkUrl } from '../components/safe-url.ts';

export interface RecordLink {
  readonly key: string;
  readonly label: string;
  readonly text: string;
  /** Null for a handle that has no page. */
  readonly url: string | null;
}

export interface OtherRecord {
  readonly key: string;
  readonly value: string;
}

interface Service {
  readonly label: string;
  /** Null if the value is not what the record should hold. */
  read(value: string): { readonly text: string; readonly url: string | null } | null;
}

const website: Service = {
  label: 'Website',
  read(value) {
    const url =
      safeLinkUrl(value) ?? (/^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(value) ? safeLinkUrl(`https://${value}`) : null);
    return url === null ? null : { text: url.replace(/^https?:\/\/(www\.)?/, '').replace(/\/$/, ''), url };
  },
};

const email: Service = {
  label: 'Email',
  // Without "?" and "&", which would add headers or a text to the mail.
  read: (value) => (/^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(value) ? { text: value, url: `mailto:${value}` } : null),
};

/** A service whose records hold a handle, with or without "@", or the URL of its page. */
function handles(label: string, pattern: RegExp, page: string, formerPage = page): Service {
  return {
    label,
    read(value) {
      const url = value.replace(/^https?:\/\/(www\.)?/, 'https://');
      const start = [page, formerPage].find((known) => url.startsWith(known));
      const handle = (start === undefined ? value : url.slice(start.length)).replace(/^@|\/$/g, '');
      return pattern.test(handle) ? { text: handle, url: safeLinkUrl(`${page}${handle}`) } : null;
    },
  };
}

const WORD = /^[\w.-]{1,60}$/;
const x = handles('X', /^\w{1,30}$/, 'https://x.com/', 'https://twitter.com/');
const farcaster = handles('Farcaster', WORD, 'https://farcaster.xyz/', 'https://warpcast.com/');

const SERVICES: Readonly<Record<string, Service>> = {
  url: website,
  email,
  'com.github': handles('GitHub', /^[\w-]{1,39}$/, 'https://github.com/'),
  'com.twitter': x,
  'com.x': x,
  'org.telegram': handles('Telegram', /^\w{1,32}$/, 'https://t.me/'),
  'com.discord': { label: 'Discord', read: (value) => (value.length <= 64 ? { text: value, url: null } : null) },
  'com.farcaster': farcaster,
  'xyz.farcaster': farcaster,
  'com.linkedin': handles('LinkedIn', WORD, 'https://linkedin.com/in/'),
  'com.instagram': handles('Instagram', WORD, 'https://instagram.com/'),
  'com.reddit': handles('Reddit', WORD, 'https://reddit.com/user/'),
  'com.youtube': handles('YouTube', WORD, 'https://youtube.com/@'),
  'app.bsky': handles('Bluesky', WORD, 'https://bsky.app/profile/'),
};

/** Records that have a place of their own in the header. */
const SHOWN_ELSEWHERE = ['avatar', 'description', 'header', 'location', 'name', 'display'];

/** Splits the text records of a profile into links and the rest. */
export function readRecords(records: Readonly<Record<string, string>>): {
  readonly links: readonly RecordLink[];
  readonly others: readonly OtherRecord[];
} {
  const links: RecordLink[] = [];
  const others: OtherRecord[] = [];
  for (const [key, value] of Object.entries(records)) {
    const text = value.trim();
    if (text === '' || SHOWN_ELSEWHERE.includes(key)) continue;
    const service = Object.hasOwn(SERVICES, key) ? SERVICES[key] : undefined;
    const read = service?.read(text) ?? null;
    if (service === undefined || read === null) others.push({ key, value: text });
    else if (!links.some(({ url }) => url !== null && url === read.url))
      links.push({ key, label: service.label, ...read });
  }
  return { links, others };
}
