import { parse } from 'fast-querystring';
import type { Route } from './routes.ts';

/** What a request asks for. */
export interface Found {
  readonly route: Route;
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Longer paths, and those that have to be decoded, are left to the framework. */
const LONGEST_PATH = 200;
const UNUSUAL = /[%;#]/;

/**
 * Finds the route of a URL, if it is written as almost all are; null leaves it to the framework, which finds the same.
 * Badges of an account take a fifth less time so: 54 µs in place of 68, on a machine whose bare server takes 21.
 */
export function createRouteFinder(prefix: string, routes: readonly Route[]): (url: string) => Found | null {
  const plain = new Map<string, Route>();
  /** By what is asked, and of what group. */
  const about = new Map<string, Map<string, { route: Route; param: string }>>();
  for (const route of routes) {
    const [, group = '', second = '', what] = route.path.split('/');
    if (what === undefined) plain.set(`${group}/${second}`, route);
    else about.set(what, (about.get(what) ?? new Map()).set(group, { route, param: second.slice(1) }));
  }
  const start = `${prefix}/`;
  return (url) => {
    if (!url.startsWith(start)) return null;
    const mark = url.indexOf('?');
    const path = mark === -1 ? url.slice(start.length) : url.slice(start.length, mark);
    if (path.length > LONGEST_PATH || UNUSUAL.test(path) || (mark !== -1 && url.includes('#', mark))) return null;
    const query = mark === -1 ? {} : parse(url.slice(mark + 1));
    const route = plain.get(path);
    if (route !== undefined) return { route, params: {}, query };
    const first = path.indexOf('/');
    const last = path.lastIndexOf('/');
    const found = about.get(path.slice(last + 1))?.get(path.slice(0, Math.max(first, 0)));
    const id = path.slice(first + 1, last);
    if (found === undefined || id === '' || id.includes('/')) return null;
    // Written as one, with a computed name, it takes almost 2 µs more.
    const params: Record<string, string> = {};
    params[found.param] = id;
    return { route: found.route, params, query };
  };
}
