import { useLocation } from 'preact-iso';

/** The query of the page, and a function that sets parameters of it; an empty value removes one. */
export function useQuery(): [query: Record<string, string>, set: (values: Record<string, string>) => void] {
  const { query, route } = useLocation();
  const set = (values: Record<string, string>) => {
    const url = new URL(location.href);
    for (const [name, value] of Object.entries(values)) {
      if (value === '') url.searchParams.delete(name);
      else url.searchParams.set(name, value);
    }
    route(`${url.pathname}${url.search}`, true);
  };
  return [query, set];
}
