import type { Random } from '../model/random.ts';
import { type RawRequest, STAR } from './support.ts';

const HEX = '0123456789abcdef';

/** Broken or overlong percent-encodings, injections, and names and numbers with a special meaning in some language. */
const ODD_TEXTS = [
  '',
  '9'.repeat(78),
  '9'.repeat(400),
  '\xff\xfe',
  '\xc3\x28',
  '%0d%0aX-Evil:%20yes',
  ...`% %% %2 %zz %00 %ff %FF%FE %c0%af %e0%80%af %f4%90%80%80 %ed%a0%80 %ed%a0%80%ed%b0%80 %ef%bf%bf %f0%9f%91%8d
      %u0041 %2f %2F..%2F %5c %2e%2e .. . ... %22%27%60 %27%20or%201=1-- %25 %2500 %e2%80%ae %ef%bc%8e
      * $1 ? # ; + {} [] __proto__ constructor prototype toString hasOwnProperty null undefined NaN Infinity true
      0 -0 00 -1 1e9 1e309 0x10 2147483647 2147483648 4294967296 9007199254740993 1099511627776 18446744073709551616
      xn--a.eth %f0%9f%8f%b4.eth a%cc%81%cc%81%cc%81.eth`.split(/\s+/),
];

const GOOD_TEXTS = [STAR.name, STAR.address, STAR.list, 'top8', 'week', 'latest', 'fresh', '5', `${STAR.name},top8`];

const TEMPLATES = [
  '/api/v1/lists/:/details',
  '/api/v1/users/:/badges',
  '/api/v1/lists/:/badges',
  '/api/v1/leaderboard/search',
  '/api/v1/users/:/notifications',
  '/api/v1/users/:/followers',
  '/api/v1/lists/:/followers',
  '/api/v1/users/:/following',
  '/api/v1/lists/:/allFollowers',
  '/api/v1/users/:/searchFollowers',
  '/api/v1/lists/:/searchFollowing',
  '/api/v1/users/:/:/followerState',
  '/api/v1/lists/:/:/buttonState',
  '/api/v1/lists/:/buttonStateBatch',
  '/api/v1/lists/:',
  '/api/v1/accounts',
  '/api/v1/edges/among',
  '/api/v1/users/:/commonFollowers',
  '/api/v1/users/:/recommended/details',
  '/api/v1/users/:/lists',
  '/api/v1/exportState/:',
  '/api/v1/leaderboard/ranked',
  '/api/v1/discover',
  '/api/v1/:/:',
  '/:',
  '/docs/:',
  '/docs/static/:',
  '/:/:/:/:',
  ':',
  '/status',
  '/openapi.json',
];

const NAMES = [
  'limit',
  'offset',
  'start',
  'opcode',
  'interval',
  'tag',
  'tags',
  'sort',
  'term',
  'cache',
  'include',
  'leader',
  'direction',
];

/** Without CONNECT: Node's HTTP client expects no response to it. */
const METHODS = ['HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND', 'PURGE', 'M-SEARCH', 'LINK'];

const HEADERS = `if-none-match if-match if-modified-since if-range range accept accept-encoding accept-version
  content-type origin host cookie authorization x-forwarded-for x-http-method-override upgrade
  access-control-request-headers access-control-request-method __proto__ constructor`.split(/\s+/);

const HEADER_VALUES = [
  '',
  '*',
  '"',
  '""',
  'W/',
  'W/"',
  '"a"b"c',
  ',,,,',
  'W/"x", "y", *',
  '"'.repeat(3000),
  ', '.repeat(3000),
  'bytes=0-0',
  'bytes=-1',
  'bytes=99999999999-1',
  'Thu, 01 Jan 1970 00:00:00 GMT',
  'application/json',
  'application/json; charset=nonsense',
  'multipart/form-data; boundary=',
  'gzip;q=nan',
  'a\tb',
  '\x80\xff',
  'localhost:99999',
  'websocket',
  '1.x',
  'a'.repeat(8000),
];

const BODIES = [
  '[]',
  '["\\ud800.eth",null,"\\u0000"]',
  '{',
  '{}',
  '{"__proto__":{"polluted":true}}',
  'a=b',
  '\0\0\0',
  'x'.repeat(50_000),
];

/** A request that no well-behaved client sends, of bytes that an HTTP client can send. */
export function oddRequest(random: Random): RawRequest {
  const path = oddPath(random) + oddQuery(random);
  const chosen = random.chance(0.8) ? 'GET' : random.pick(METHODS);
  // A request line that the server cannot parse is answered with a body, which a client does not expect for HEAD.
  const method = chosen === 'HEAD' && !/^\/[\x21-\x7e]{0,8000}$/.test(path) ? 'GET' : chosen;
  const headers: Record<string, string> = {};
  while (random.chance(0.3)) Object.assign(headers, { [random.pick(HEADERS)]: random.pick(HEADER_VALUES) });
  const takesBody = ['POST', 'PUT', 'PATCH', 'DELETE'].includes(method);
  return { path, method, headers, ...(takesBody && random.chance(0.7) ? { body: random.pick(BODIES) } : {}) };
}

function oddPath(random: Random): string {
  const path = random.pick(TEMPLATES).replaceAll(':', () => oddText(random));
  return path === '' ? '/' : path;
}

function oddQuery(random: Random): string {
  let query = '';
  while (random.chance(0.6)) {
    const name = random.chance(0.8) ? random.pick(NAMES) : oddText(random);
    const pair = random.chance(0.9) ? `${name}=${oddText(random)}` : name;
    query += (query === '' ? '?' : random.pick(['&', '&', '&', '&&', ';', '?'])) + pair;
    if (random.chance(0.1)) query += `&${pair}`;
  }
  return query;
}

function oddText(random: Random): string {
  return random.weighted([
    [5, () => random.pick(ODD_TEXTS)],
    [4, () => random.pick(GOOD_TEXTS)],
    [2, () => mutated(random, random.pick(GOOD_TEXTS))],
    [2, () => escapedBytes(random, 1 + random.int(12))],
    [1, () => random.pick(ODD_TEXTS) + random.pick(GOOD_TEXTS) + random.pick(ODD_TEXTS)],
    [0.1, () => random.pick(['a', '%41', ',', '.', '9']).repeat(random.int(9000))],
  ]);
}

/** Replaces one character of `text` by any that is valid in a request line. */
function mutated(random: Random, text: string): string {
  const at = random.int(text.length);
  return text.slice(0, at) + String.fromCharCode(0x21 + random.int(0x5e)) + text.slice(at + 1);
}

function escapedBytes(random: Random, count: number): string {
  return Array.from({ length: count }, () => `%${random.pick([...HEX])}${random.pick([...HEX])}`).join('');
}

/** Bytes that are malformed or unusual HTTP. */
export function oddBytes(random: Random): string {
  const path = `/api/v1/users/${STAR.address}/followers`;
  const line = `GET ${path} HTTP/1.1\r\nHost: a\r\n`;
  return random.weighted([
    [1, () => Array.from({ length: 1 + random.int(200) }, () => String.fromCharCode(random.int(256))).join('')],
    [1, () => `${line}\r\n`.slice(0, 1 + random.int(line.length))],
    [1, () => mutatedByte(random, `${line}\r\n`)],
    [1, () => `${line}${random.pick(MALFORMED_HEADERS)}\r\n\r\n`],
    [1, () => `${random.pick(MALFORMED_LINES)}\r\nHost: a\r\nConnection: close\r\n\r\n`],
    [
      0.5,
      () =>
        `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${random.pick(['zz', '-1', 'ffffffffff', '5\r\nab'])}\r\n`,
    ],
    [0.5, () => `${line}\r\n`.repeat(1 + random.int(20))],
  ]);
}

function mutatedByte(random: Random, text: string): string {
  const at = random.int(text.length);
  return text.slice(0, at) + String.fromCharCode(random.int(256)) + text.slice(at + 1);
}

const MALFORMED_HEADERS = [
  'no colon',
  ': no name',
  'Two Words: a',
  'Content-Length: -1',
  'Content-Length: 1\r\nContent-Length: 2',
  'Content-Length: 5\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: nonsense',
  'X: \x00',
  'X: a\rb',
  ' folded: a',
  'Expect: the-unexpected',
  `X: ${'a'.repeat(20_000)}`,
  Array.from({ length: 2500 }, (_, i) => `a${i}: b`).join('\r\n'),
];

const MALFORMED_LINES = [
  'GET',
  'GET /',
  'GET / HTTP/1.1 again',
  'GET / HTTP/3.7',
  'GET  /  HTTP/1.1',
  'get / HTTP/1.1',
  'BREW /pot HTTP/1.1',
  'CONNECT a:80 HTTP/1.1',
  'GET http://a/api/v1/leaderboard/search HTTP/1.1',
  'OPTIONS * HTTP/1.1',
  'PRI * HTTP/2.0',
  `GET /${'a'.repeat(17_000)} HTTP/1.1`,
  `GET /?${'a=1&'.repeat(5_000)} HTTP/1.1`,
];
