import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { cacheResponse, restoredResponse } from '../../api/response-cache.ts';
import { AccountLink, accountPath } from '../../components/account-link.tsx';
import { Empty } from '../../components/empty.tsx';
import { formatNumber, shortAddress } from '../../components/format.ts';
import { Problem } from '../../components/problem.tsx';
import { AsList } from './as-list.tsx';
import { loadNeighbourhood, type Neighbourhood } from './load.ts';
import { neighboursOf } from './neighbours.ts';
import { createPicture, type Picture } from './picture.ts';

interface Props {
  readonly address: string;
  readonly name: string;
  /** Receives an account whose edges were requested. */
  onExample(address: string): void;
}

export function NeighbourhoodView({ address, name, onExample }: Props) {
  const { data, error, progress, reload } = useNeighbourhood(address, name);
  const example = data?.nodes[1]?.address;
  useEffect(() => {
    if (example !== undefined) onExample(example);
  }, [example]);
  if (data !== undefined && data.nodes.length > 1) return <Shown neighbourhood={data} onReload={reload} />;
  return (
    <div class="graph-frame">
      {error !== undefined && <Problem error={error} retry={reload} />}
      {error === undefined && data === undefined && <Progress {...progress} />}
      {data !== undefined && (
        <Empty>
          <bdi>{name}</bdi> has no mutuals and no top8, so there is nothing to draw.
        </Empty>
      )}
    </div>
  );
}

function Progress({ done, total }: { readonly done: number; readonly total: number }) {
  const label = total === 0 ? 'Loading the mutuals' : `Loading who follows whom: ${done} of ${total}`;
  return (
    <label class="graph-progress">
      <span>{label}</span>
      <progress {...(total === 0 ? {} : { value: done, max: total })} />
    </label>
  );
}

interface ShownProps {
  readonly neighbourhood: Neighbourhood;
  onReload(): void;
}

function Shown({ neighbourhood, onReload }: ShownProps) {
  const { route } = useLocation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | null>(null);
  const [active, setActive] = useState<number | null>(null);
  const [error, setError] = useState<Error>();
  useEffect(() => {
    if (canvas.current === null) return;
    try {
      picture.current = createPicture(canvas.current, neighbourhood, {
        onHighlight: setActive,
        onOpen(index, inNewTab) {
          const node = neighbourhood.nodes[index];
          if (node === undefined || (index === 0 && !inNewTab)) return;
          if (inNewTab) open(accountPath(node), '_blank', 'noopener');
          else route(accountPath(node));
        },
      });
    } catch (cause) {
      setError(cause as Error);
    }
    return () => picture.current?.end();
  }, [neighbourhood]);
  const { nodes, edges } = neighbourhood;
  const follows = edges.reduce((sum, { isMutual }) => sum + (isMutual ? 2 : 1), 0);
  const centre = nodes[0]?.name || shortAddress(nodes[0]?.address ?? '');
  const label = `${nodes.length} accounts around ${centre} and ${formatNumber(follows)} follows between them`;
  return (
    <>
      <div class="graph-frame">
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the role of a widget with keys of its own. */}
        <canvas
          ref={canvas}
          class="graph-canvas"
          role="application"
          aria-roledescription="graph"
          aria-label={label}
          aria-describedby="graph-hint"
          tabIndex={0}
        />
        {error !== undefined && <Problem error={error} />}
        <div class="graph-buttons">
          <button type="button" aria-label="Zoom in" onClick={() => picture.current?.zoom(1.4)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => picture.current?.zoom(1 / 1.4)}>
            −
          </button>
          <button type="button" aria-label="Show the whole picture" onClick={() => picture.current?.fit()}>
            ⤢
          </button>
        </div>
        <div class="graph-card" role="status">
          {active !== null && <Card neighbourhood={neighbourhood} index={active} />}
        </div>
      </div>
      <Caption neighbourhood={neighbourhood} onReload={onReload} />
      <AsList neighbourhood={neighbourhood} onHighlight={(index) => picture.current?.highlight(index)} />
    </>
  );
}

interface CardProps {
  readonly neighbourhood: Neighbourhood;
  readonly index: number;
}

function Card({ neighbourhood, index }: CardProps) {
  const node = neighbourhood.nodes[index];
  if (node === undefined) return null;
  const { follows, followedBy } = neighboursOf(neighbourhood, index);
  const count = node.followers === null ? '' : ` ${formatNumber(node.followers)} followers in all.`;
  return (
    <>
      <AccountLink address={node.address} name={node.name} />
      <span class="graph-card-text">
        Follows {follows.length} and is followed by {followedBy.length} of these.{count}
      </span>
    </>
  );
}

function Caption({ neighbourhood: { nodes, mutuals, hasTop8, isPartial, failed }, onReload }: ShownProps) {
  const shown = nodes.length - 1;
  const counted =
    mutuals > shown
      ? `the ${formatNumber(shown)} of ${formatNumber(mutuals)} mutuals with the best rank`
      : `${formatNumber(mutuals)} mutuals`;
  const text = hasTop8 ? `The top8 and ${counted}.` : `${counted}.`;
  return (
    <div class="graph-caption">
      <ul class="graph-legend" aria-label="Legend">
        <li data-mark="mutual">follow each other</li>
        <li data-mark="one-way">follows</li>
        <li data-mark="top8">in the top8</li>
        <li data-mark="size">more followers</li>
      </ul>
      <p>
        {text} {isPartial && 'Some follows between them are missing, because the accounts follow too many others.'}{' '}
        <span id="graph-hint" class="graph-hint" data-for="mouse">
          Drag to move. Click the picture to zoom with the wheel. Keys: arrows, + and −, 0 for all, N and P for the next
          and previous account, Enter to open it.
        </span>
        <span class="graph-hint" data-for="touch">
          Tap an account for its name, and again to open it. Tap the picture to move it in all directions.
        </span>
      </p>
      {failed > 0 && (
        <p class="graph-note" role="status">
          {failed === 1 ? '1 request' : `${failed} requests`} failed, so some follows, names or sizes are missing.
          <button type="button" onClick={onReload}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}

function useNeighbourhood(address: string, name: string) {
  const key = `graph of ${address}`;
  const [attempt, setAttempt] = useState(0);
  const [data, setData] = useState(() => restoredResponse(key) as Neighbourhood | undefined);
  const [error, setError] = useState<Error>();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  useEffect(() => {
    if (data !== undefined) return;
    const closing = new AbortController();
    setError(undefined);
    loadNeighbourhood(
      { address, name: name === shortAddress(address) ? '' : name },
      { signal: closing.signal, onProgress: (done, total) => setProgress({ done, total }) },
    ).then(
      (loaded) => {
        if (loaded.failed === 0) cacheResponse(key, loaded);
        setData(loaded);
      },
      (cause: Error) => {
        if (!closing.signal.aborted) setError(cause);
      },
    );
    return () => closing.abort();
  }, [address, attempt]);
  const reload = () => {
    setData(undefined);
    setAttempt(attempt + 1);
  };
  return { data, error, progress, reload };
}
