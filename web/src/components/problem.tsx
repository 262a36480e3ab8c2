import { describeError } from '../api/request.ts';

interface Props {
  readonly error: Error;
  readonly retry?: () => void;
}

/** An error message; the text of a problem response is written for clients. */
export function Problem({ error, retry }: Props) {
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
