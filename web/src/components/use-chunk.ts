import { useEffect, useState } from 'preact/hooks';

/** Loads code that is not in the first load. */
export function useChunk<C>(load: () => Promise<C>, isWanted: boolean): { readonly chunk?: C; readonly error?: Error } {
  const [state, setState] = useState<{ chunk?: C; error?: Error }>({});
  useEffect(() => {
    if (!isWanted) return;
    load().then(
      (chunk) => setState({ chunk }),
      () => setState({ error: new Error('The code of this part could not be loaded.') }),
    );
  }, [isWanted]);
  return state;
}
