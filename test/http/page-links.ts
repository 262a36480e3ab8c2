import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { Answer } from '../support/service.ts';

export const LINK = /^<(\?\S+)>; rel="next"$/;

/** The path of the next page; null on the last page. */
export function nextOf(path: string, { headers }: Answer): string | null {
  const link = headers.get('link');
  if (link === null) return null;
  const [, query] = LINK.exec(link) ?? expect.fail(`not a link to the next page: ${link}`);
  return path.replace(/\?.*|$/, query ?? '');
}

/** The entries of a page: its body, or the only array in it. */
export const entriesOf = ({ json }: Answer): unknown[] => [json, ...Object.values(json)].find(Array.isArray) ?? [];

/** The text of a cursor. */
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A cursor that the lookup at `path`, which has no other parameters, has not returned. */
export function forge(path: string, key: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify([JSON.stringify([path, {}, []]), key]));
  return encode([hash.digest('base64url').slice(0, 12), ...key]);
}

export const cursorOf = (path: string | null) => new URLSearchParams(path?.split('?')[1]).get('cursor') ?? '';
