/** Where requests go, and how to speak of it. */
export interface Target {
  /** The URL without user and password: a request whose URL carries them is refused by fetch. */
  readonly url: string;
  /** The name of the host: all of the URL that may be shown. */
  readonly host: string;
  /** Carries user and password, where the URL does. */
  readonly headers: Readonly<Record<string, string>>;
  /** Takes out of the other side's words whatever they repeat of the URL. */
  hide(text: string): string;
}

/** The URL of a path below `base`, which may lead below a path itself and carry a key among its parameters. */
export function urlBelow(base: string, path: string, parameters: readonly string[] = []): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.search = [...(url.search === '' ? [] : [url.search.slice(1)]), ...parameters].join('&');
  url.hash = '';
  return url.href;
}

/** Parts of a URL shorter than this are words like `v2`, not keys. */
const SHORTEST_SECRET = 8;

export function readTarget(url: string): Target {
  const target = new URL(url);
  const { host, pathname, search } = target;
  const [username, password] = [target.username, target.password].map(decodeURIComponent);
  const words = [...pathname.split('/'), ...search.split(/[?&=]/), username ?? '', password ?? ''];
  const secrets = [url, target.href, pathname + search, pathname, ...words]
    .filter(({ length }) => length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length);
  const headers: Record<string, string> = {};
  if (username || password) {
    headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    target.username = target.password = '';
  }
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  return { url: target.href, host, headers, hide };
}
