import { describeError, isAbsent } from '../api/request.ts';
import { useRetry } from './use-retry.ts';

interface Props {
  readonly error: Error;
  /** Called by the button, and without it after an error that may pass. */
  readonly retry?: () => void;
}

/** An error message; the text of a problem response is written for clients. */
export function Problem({ error, retry }: Props) {
  useRetry(error, retry);
  // The page says so in place of its panels, as soon as it knows.
  if (isAbsent(error)) return null;
  return (
    <div class="problem" role="alert">
      <p>{describeError(error)}</p>
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}
