import { accountPath } from '../components/account-link.tsx';

/** What a text names exactly. It has a page, which says so if it is unknown. */
export interface Target {
  readonly kind: 'Account' | 'Name' | 'List';
  readonly id: string;
  readonly path: string;
}

export function targetOf(text: string): Target | null {
  if (/^0x[0-9a-f]{40}$/i.test(text)) {
    const id = text.toLowerCase();
    return { kind: 'Account', id, path: accountPath({ address: id }) };
  }
  const list = /^#?0*(\d{1,78})$/.exec(text)?.[1];
  if (list !== undefined) return { kind: 'List', id: list, path: `/list/${list}` };
  if (/^[^\s/]+\.[^\s/.]+$/u.test(text)) {
    return { kind: 'Name', id: text, path: accountPath({ address: '', name: text }) };
  }
  return null;
}
