import { useEffect } from 'preact/hooks';
import { isWrongInput, type Request } from '../../api/request.ts';
import { AccountField } from '../../components/account-field.tsx';
import { Problem } from '../../components/problem.tsx';
import { useQuery } from '../../components/use-query.ts';
import { CanvasView } from './canvas-view.tsx';
import { useNeighbourhood } from './use-neighbourhood.ts';

interface Props {
  readonly address: string;
  readonly name: string;
  onRequests(requests: readonly Request<unknown>[]): void;
}

/** The picture of a neighbourhood. The viewer is in the query of the page, as `viewer`. */
export function NeighbourhoodView({ address, name, onRequests }: Props) {
  const [query, set] = useQuery();
  const viewer = (query.viewer ?? '').trim();
  const { data, error, requests, reload, canExpand, expand } = useNeighbourhood(address, viewer);
  useEffect(() => onRequests(requests), [requests.map(({ key }) => key).join()]);
  const view = (chosen: string) => set({ viewer: chosen });
  const problem = error && <Problem error={error} {...(isWrongInput(error) ? {} : { retry: reload })} />;
  return (
    <>
      <AccountField
        id="graph-viewer"
        class="graph-viewer"
        label="View as"
        value={viewer}
        actions={['View', 'Stop']}
        onChoose={view}
      />
      {data === undefined ? (
        <div class="graph-frame">{problem ?? <progress aria-label="Loading" />}</div>
      ) : (
        <>
          {problem}
          <CanvasView neighbourhood={data} name={name} canExpand={canExpand} onExpand={expand} onView={view} />
        </>
      )}
    </>
  );
}
