import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { accountPath } from '../../components/account-link.tsx';
import { formatNumber, isAddress, shortAddress } from '../../components/format.ts';
import { Problem } from '../../components/problem.tsx';
import { AsList } from './as-list.tsx';
import { Caption } from './caption.tsx';
import { Card } from './card.tsx';
import type { Neighbourhood } from './neighbourhood.ts';
import { type Active, createPicture, type Picture } from './picture.ts';

interface Props {
  readonly neighbourhood: Neighbourhood;
  /** Of the centre. */
  readonly name: string;
  canExpand(address: string): boolean;
  onExpand(address: string): void;
  onView(viewer: string): void;
}

const ZOOM_STEP = 1.4;

export function CanvasView({ neighbourhood, name, canExpand, onExpand, onView }: Props) {
  const { route } = useLocation();
  const canvas = useRef<HTMLCanvasElement>(null);
  const picture = useRef<Picture | null>(null);
  const [active, setActive] = useState<Active>({ index: null, isSelected: false });
  const [error, setError] = useState<Error>();
  const handlers = {
    onActive: setActive,
    onOpen(index: number) {
      const node = neighbourhood.nodes[index];
      if (node !== undefined && index !== 0) route(accountPath(node));
    },
    onExpand(index: number) {
      const address = neighbourhood.nodes[index]?.address ?? '';
      if (canExpand(address)) onExpand(address);
    },
  };
  // The picture outlives the neighbourhood that it was created with.
  const latest = useRef(handlers);
  latest.current = handlers;
  useEffect(() => {
    if (canvas.current === null) return;
    try {
      picture.current = createPicture(canvas.current, {
        onActive: (next) => latest.current.onActive(next),
        onOpen: (index) => latest.current.onOpen(index),
        onExpand: (index) => latest.current.onExpand(index),
      });
    } catch (cause) {
      setError(cause as Error);
    }
    return () => picture.current?.end();
  }, []);
  useEffect(() => picture.current?.show(neighbourhood), [neighbourhood]);
  const { nodes, edges, viewer } = neighbourhood;
  const subject = viewer === '' ? name : isAddress(viewer) ? shortAddress(viewer) : viewer;
  const follows = edges.reduce((sum, { isMutual }) => sum + (isMutual ? 2 : 1), 0);
  return (
    <>
      <div class="graph-frame">
        {/* biome-ignore lint/a11y/noInteractiveElementToNoninteractiveRole: the role of a widget with keys of its own. */}
        <canvas
          ref={canvas}
          class="graph-canvas"
          role="application"
          aria-roledescription="graph"
          aria-label={`${nodes.length - 1} accounts around ${name} and ${formatNumber(follows)} follows between them`}
          aria-describedby="graph-hint"
          tabIndex={0}
        />
        {error !== undefined && <Problem error={error} />}
        <div class="graph-buttons">
          <button type="button" aria-label="Zoom in" onClick={() => picture.current?.zoom(ZOOM_STEP)}>
            +
          </button>
          <button type="button" aria-label="Zoom out" onClick={() => picture.current?.zoom(1 / ZOOM_STEP)}>
            −
          </button>
          <button type="button" aria-label="Show the whole picture" onClick={() => picture.current?.fit()}>
            ⤢
          </button>
        </div>
      </div>
      <Card {...{ neighbourhood, active, subject, canExpand, onView }} onExpand={handlers.onExpand} />
      <Caption neighbourhood={neighbourhood} subject={subject} centre={name} />
      <AsList neighbourhood={neighbourhood} subject={subject} onHighlight={(index) => picture.current?.hover(index)} />
    </>
  );
}
