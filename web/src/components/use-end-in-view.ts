import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from '../api/use-pages.ts';

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
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) loadMore();
      },
      { rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  });
  return end;
}
