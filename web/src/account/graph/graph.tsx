import { useEffect, useState } from 'preact/hooks';
import '../../styles/graph.css';
import type { Subject } from '../../api/subject.ts';
import { Panel } from '../../components/panel.tsx';
import { Problem } from '../../components/problem.tsx';
import { subjectName } from '../subject-name.ts';
import { useInView } from '../use-in-view.ts';
import { followersOf, mostFollowed, top8Of } from './requests.ts';

interface Props {
  readonly subject: Subject;
  /** Of the account that the page is about. */
  readonly address: string;
}

/** Who follows whom among the mutuals and the top8 of the account. Loads its code and data when it is seen. */
export function Graph({ subject, address }: Props) {
  const [ref, isSeen] = useInView<HTMLDivElement>();
  const { part, error, reload } = usePart(isSeen);
  const [example, setExample] = useState<string | null>(null);
  return (
    <Panel
      title="Neighbourhood"
      requests={[
        followersOf(address, address),
        top8Of(address),
        mostFollowed(),
        example === null ? null : followersOf(example, address),
      ]}
    >
      <div ref={ref} class="graph">
        {part !== undefined && (
          <part.NeighbourhoodView
            key={address}
            address={address}
            name={subjectName(subject, address)}
            onExample={setExample}
          />
        )}
        {part === undefined && (
          <div class="graph-frame">{error !== undefined && <Problem error={error} retry={reload} />}</div>
        )}
      </div>
    </Panel>
  );
}

type Part = typeof import('./neighbourhood-view.tsx');

/** The part of the page that draws, which is not in the first load. */
function usePart(isWanted: boolean) {
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<{ part?: Part; error?: Error }>({});
  useEffect(() => {
    if (!isWanted) return;
    import('./neighbourhood-view.tsx').then(
      (part) => setState({ part }),
      () => setState({ error: new Error('The code of the graph could not be loaded.') }),
    );
  }, [isWanted, attempt]);
  return { ...state, reload: () => setAttempt(attempt + 1) };
}
