import { accountPath } from '../components/account-link.tsx';

/** What a text names exactly. It has a page, which says so if it is unknown. */
export interface Target {
  readonly kind: 'Account' | 'Name' | 'List';
  /** The address, the name or the number. */
  readonly id: string;
  readonly path: string;
}

/** What a text means that was typed or pasted. */
export interface Meaning {
  readonly target: Target | null;
  /** To search accounts for; empty if the text can only mean the target. */
  readonly term: string;
  /** What the address of a match ends with: the second part of a shortened address. */
  readonly end: string;
}

/** Sites whose paths begin with a name, an address or a list number. */
const PROFILE_SITES = /(?:^|\.)(?:efp\.app|ethfollow\.xyz)$/;
const URL_TEXT = /^(?:https?:\/\/)?([^/\s]+)\/([^\s?#]+)/i;
const LIST = /^(?:list\s*#?\s*|#\s*)0*(\d{1,78})$/i;
/** Fewer digits would match too many addresses to look at. */
const SHORTENED = /^(0x[0-9a-f]{3,39})(?:…|\.{2,3})([0-9a-f]+)$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const NAME = /^[^\s/]+\.[^\s/.]+$/u;
const NOTHING: Meaning = { target: null, term: '', end: '' };

/** `host` is that of this page. */
export function meaningOf(typed: string, host: string): Meaning {
  const trimmed = typed.trim();
  const text = (subjectOfUrl(trimmed, host) ?? trimmed).replace(/^@\s*/, '');
  if (text === '') return NOTHING;
  const list = LIST.exec(text)?.[1];
  if (list !== undefined) return { ...NOTHING, target: targetList(list) };
  const lower = text.toLowerCase();
  const [, start, end] = SHORTENED.exec(lower) ?? [];
  if (start !== undefined && end !== undefined) return { target: null, term: start, end };
  return { target: targetOf(text, lower), term: text, end: '' };
}

function targetOf(text: string, lower: string): Target | null {
  if (ADDRESS.test(lower)) return { kind: 'Account', id: lower, path: accountPath({ address: lower }) };
  const number = /^0*(\d{1,78})$/.exec(text)?.[1];
  if (number !== undefined) return targetList(number);
  return NAME.test(text) ? { kind: 'Name', id: text, path: accountPath({ address: '', name: text }) } : null;
}

const targetList = (id: string): Target => ({ kind: 'List', id, path: `/list/${id}` });

/** What the page at a URL is about, as one would type it; null for other texts and pages. */
function subjectOfUrl(text: string, host: string): string | null {
  const [, site = '', path = ''] = URL_TEXT.exec(text) ?? [];
  const parts = path.split('/').map(decode);
  const at = parts.findIndex((part) => part === 'account' || part === 'list');
  const named = parts[at + 1] ?? '';
  if (at !== -1) return named && parts[at] === 'list' ? `#${named}` : named || null;
  const [first = ''] = parts;
  const isProfile = PROFILE_SITES.test(site.toLowerCase()) || site === host;
  if (!isProfile || targetOf(first, first.toLowerCase()) === null) return null;
  return first;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
