import type { ComponentChildren } from 'preact';
import { useLoading } from '../network/loading.ts';

/** What a part without data says, unless the data has not been loaded yet. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  const loading = useLoading();
  return <p class="empty">{loading === undefined ? '\u00a0' : (loading ?? children)}</p>;
}
