import { describeError, isNotFound, isWrongInput } from '../api/request.ts';
import { useLoading } from '../network/loading.ts';
import { Name } from './name.tsx';
import { Problem } from './problem.tsx';

interface Props {
  readonly title: string;
  readonly error: Error;
  readonly retry: () => void;
}

/** In place of a page whose first request failed. */
export function Unknown({ title, error, retry }: Props) {
  const loading = useLoading();
  return (
    <div class="message">
      <h1>
        <Name name={title} />
      </h1>
      {isWrongInput(error) ? (
        <>
          <p role="alert">{loading && isNotFound(error) ? `Not found so far. ${loading}` : describeError(error)}</p>
          <WayOn />
        </>
      ) : (
        <Problem error={error} retry={retry} />
      )}
    </div>
  );
}

export function WayOn() {
  return (
    <p>
      Search for another name, address or list number, or look at the <a href="/leaderboard">leaderboard</a>.
    </p>
  );
}
