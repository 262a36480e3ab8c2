import type { StreamEvent } from '@kith-efp/client';
import { useEffect, useRef } from 'preact/hooks';
import { onUpdate, type Update } from './connection.ts';

/** Calls back with the events that pass the filter, with every undo, and when there may have been others. */
export function useLive(filter: (event: StreamEvent) => boolean, onEvents: (update: Update) => void): void {
  const latest = useRef({ filter, onEvents });
  latest.current = { filter, onEvents };
  useEffect(
    () =>
      onUpdate(({ events, hasMissed }) => {
        const passed = events.filter((event) => event.type === 'undo' || latest.current.filter(event));
        if (hasMissed || passed.length > 0) latest.current.onEvents({ events: passed, hasMissed });
      }),
    [],
  );
}
