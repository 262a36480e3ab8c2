/** A base URL, with its credentials kept apart. */
export interface Target {
  /** Without credentials, which fetch rejects in a URL. */
  readonly url: string;
  /** The only part of the URL that may be logged. */
  readonly host: string;
  /** Basic authentication, if the URL has credentials. */
  readonly headers: Readonly<Record<string, string>>;
  /** Redacts parts of the URL from a remote message. */
  hide(text: string): string;
}

/** Appends a path to `base`, keeping the path and the query (such as an API key) that it has. */
export function joinUrl(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path}`;
  url.hash = '';
  return url.href;
}

/** Shorter parts of a URL are words like `v2`, not keys. */
const MIN_SECRET_LENGTH = 8;

export function readTarget(url: string): Target {
  const target = new URL(url);
  const { host, pathname, search } = target;
  const [username, password] = [target.username, target.password].map(decodeURIComponent);
  const words = [...pathname.split('/'), ...search.split(/[?&=]/), username ?? '', password ?? ''];
  const secrets = [url, target.href, pathname + search, pathname, ...words]
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
    .sort((a, b) => b.length - a.length);
  const headers: Record<string, string> = {};
  if (username || password) {
    headers.authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
    target.username = target.password = '';
  }
  const hide = (text: string) => secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
  return { url: target.href, host, headers, hide };
}
