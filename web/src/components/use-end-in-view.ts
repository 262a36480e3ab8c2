import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from '../api/use-pages.ts';

/** Browsers without `scrollMargin` load the next page of a list that scrolls by itself at its very end. */
const MARGINS = { rootMargin: '600px', scrollMargin: '600px' };

/** Loads the next page when the element that gets the returned ref, the end of the list, is scrolled into view. */
export function useEndInView({
  error,
  isLoading,
  isComplete,
  loadMore,
}: Pages<unknown>): RefObject<HTMLDivElement | null> {
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (end.current === null || isLoading || isComplete || error !== undefined) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) loadMore();
    }, MARGINS);
    observer.observe(end.current);
    return () => observer.disconnect();
  });
  return end;
}
