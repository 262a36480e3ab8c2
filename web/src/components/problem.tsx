import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { describeError, isAbsent } from '../api/request.ts';
import { useRetry } from './use-retry.ts';

interface Props {
  readonly error: Error;
  /** Called by the button, and without it after an error that may pass. */
  readonly retry?: () => void;
}

/** Whether what the page is about is known to exist. Until then, it is left to the page to say that it does not. */
export const SubjectExists = createContext(true);

/** An error message; the text of a problem response is written for clients. */
export function Problem({ error, retry }: Props) {
  useRetry(error, retry);
  const subjectExists = useContext(SubjectExists);
  if (isAbsent(error) && !subjectExists) return null;
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
