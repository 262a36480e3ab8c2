import '../styles/loading.css';
import { useConnection } from './connection.ts';

/** Says on every page that what it shows may be old. */
export function OutageNote() {
  const isOutage = useConnection() === 'outage';
  // Screen readers announce what changes in an element that was there before.
  return (
    <p class={isOutage ? 'loading-note outage-note' : ''} role="status">
      {isOutage && 'The service does not answer. This page tries again by itself and is brought up to date then.'}
    </p>
  );
}
