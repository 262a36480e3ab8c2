import { useState } from 'preact/hooks';
import '../../styles/graph.css';
import type { Request } from '../../api/request.ts';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { useChunk } from '../../components/use-chunk.ts';
import { useInView } from '../use-in-view.ts';

interface Props {
  /** Of the account that the page is about. */
  readonly address: string;
  /** Its name, or its short address. */
  readonly name: string;
}

/** Who follows whom around the account. Loads its code and data when it is seen. */
export function Graph({ address, name }: Props) {
  const [ref, isSeen] = useInView<HTMLDivElement>();
  const { chunk, error } = useChunk(() => import('./neighbourhood-view.tsx'), isSeen);
  const [requests, setRequests] = useState<readonly Request<unknown>[]>([]);
  return (
    <Panel title="Neighbourhood" requests={requests}>
      <div ref={ref} class="graph">
        {chunk !== undefined && (
          <chunk.NeighbourhoodView key={address} address={address} name={name} onRequests={setRequests} />
        )}
        {chunk === undefined && (
          <div class="graph-frame">
            {error !== undefined && <Problem error={error} retry={() => location.reload()} />}
          </div>
        )}
      </div>
    </Panel>
  );
}
