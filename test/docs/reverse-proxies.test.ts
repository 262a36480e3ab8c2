import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8');
const blockOf = (language: string) =>
  new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'ms').exec(page)?.[1] ?? expect.fail(`no example for ${language}`);

/** An exact location comes before a regular expression, and that before a prefix. */
function isForwardedByNginx(path: string): boolean {
  const locations = [...blockOf('nginx').matchAll(/location (?:([=~]) )?(\S+) \{(.*?)\}/gs)];
  const chosen = ['=', '~', undefined].flatMap((kind) =>
    locations.filter(([, modifier, pattern = '']) => modifier === kind && matches(path, pattern, kind)),
  );
  return /^ *proxy_pass /m.test(chosen[0]?.[3] ?? '');
}

function matches(path: string, pattern: string, kind: string | undefined): boolean {
  if (kind === '=') return path === pattern;
  return kind === '~' ? new RegExp(pattern).test(path) : path.startsWith(pattern);
}

/** A directive of the site without a matcher is for every path; `respond` comes before `reverse_proxy`. */
function isForwardedByCaddy(path: string): boolean {
  const directives = [...blockOf('caddyfile').matchAll(/^ {4}(respond|reverse_proxy) (\S+)/gm)];
  const isRefused = directives.some(([, name, matcher]) => name === 'respond' && matcher === path);
  return !isRefused && directives.some(([, name, matcher]) => name === 'reverse_proxy' && /^\d/.test(matcher ?? ''));
}

describe.each([
  ['nginx', isForwardedByNginx],
  ['Caddy', isForwardedByCaddy],
])('the example for %s in docs/clients.md', (_, isForwarded) => {
  it.each(['/', '/assets/x', '/account/ada.eth', '/docs', '/openapi.json', '/demo/x', '/api/v1/x', '/status'])(
    'forwards %s',
    (path) => expect(isForwarded(path)).toBe(true),
  );

  it('does not forward the metrics', () => {
    expect(isForwarded('/metrics')).toBe(false);
  });
});
