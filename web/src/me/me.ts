import { useEffect, useReducer } from 'preact/hooks';
import { isAddress } from '../components/format.ts';

/** The account that a visitor says is theirs. It is kept in the browser only. */
export interface Me {
  readonly address: string;
  /** Empty if the account has none. */
  readonly name: string;
  readonly avatar: string;
}

const KEY = 'me';
const watchers = new Set<() => void>();
let current = read();

addEventListener('storage', ({ key }) => {
  // The key is null if another tab has cleared the storage.
  if (key === KEY || key === null) change(read());
});

/** Null until the visitor has said it. All tabs have the same. */
export function useMe(): Me | null {
  const [, update] = useReducer<number, void>((count) => count + 1, 0);
  const shown = current;
  useEffect(() => {
    const notify = () => update();
    watchers.add(notify);
    // It may have changed between the rendering and this effect.
    if (current !== shown) notify();
    return () => void watchers.delete(notify);
  }, []);
  return shown;
}

export function setMe(me: Me | null): void {
  try {
    if (me === null) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(me));
  } catch {
    // Storage can be forbidden; the choice then lasts until the page is closed.
  }
  change(me);
}

function change(me: Me | null): void {
  current = me;
  for (const notify of watchers) notify();
}

function read(): Me | null {
  try {
    const { address, name, avatar } = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    if (!isAddress(address)) return null;
    return { address: address.toLowerCase(), name: String(name ?? ''), avatar: String(avatar ?? '') };
  } catch {
    return null;
  }
}
