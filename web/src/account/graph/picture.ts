import { discsOf, draw, type Style, type View } from './draw.ts';
import { listen, type Point } from './gestures.ts';
import { NO_FRAME } from './labels.ts';
import { createLayout, type Place } from './layout.ts';
import type { Neighbourhood } from './neighbourhood.ts';
import { createOffscreenBuffer } from './offscreen-buffer.ts';
import { createSprites } from './sprites.ts';

export interface Picture {
  /** Replaces what is shown, with the same nodes at the same places. */
  show(neighbourhood: Neighbourhood): void;
  zoom(factor: number): void;
  fit(): void;
  /** Highlights a node until another one is pointed at. */
  hover(index: number | null): void;
  end(): void;
}

/** Which node is highlighted, and whether it stays so without a pointer. */
export interface Active {
  readonly index: number | null;
  readonly isSelected: boolean;
}

interface Handlers {
  onActive(active: Active): void;
  onOpen(index: number): void;
  onExpand(index: number): void;
}

/** Of a frame, for the layout, in milliseconds. */
const TIME_PER_FRAME = 8;
/** By time and not by frame, so that a slow machine draws fewer frames instead of moving for longer. */
const STEPS_PER_MS = 0.3;
const MAX_SCALE = 8;
/** How far from a node a pointer still hits it. */
const REACH = 6;

/** Draws a neighbourhood on a canvas, and lets people move it and choose a node. */
export function createPicture(canvas: HTMLCanvasElement, handlers: Handlers): Picture {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw the graph.');
  let neighbourhood: Neighbourhood = { nodes: [], edges: [], viewer: '' };
  let layout = createLayout(neighbourhood, new Map(), 1);
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let size = { width: 0, height: 0, ratio: 1 };
  let style = styleOf(canvas);
  let view: View = { x: 0, y: 0, scale: 1 };
  /** Whether the view is that of the user instead of the whole picture. */
  let isMoved = false;
  let hovered: number | null = null;
  let selected: number | null = null;
  let frame = 0;
  let lastStep = performance.now();

  const schedule = () => {
    if (frame === 0) frame = requestAnimationFrame(paint);
  };
  function paint() {
    frame = 0;
    if (!layout.isSettled()) {
      const now = performance.now();
      const steps = reducedMotion.matches ? Number.POSITIVE_INFINITY : Math.ceil((now - lastStep) * STEPS_PER_MS);
      lastStep = now;
      layout.advance(steps, TIME_PER_FRAME);
      buffer.isStale = true;
      schedule();
      if (reducedMotion.matches && !layout.isSettled()) return;
    }
    if (!isMoved) view = viewOfAll(layout.places, size);
    buffer.show(view, size);
  }
  const buffer = createOffscreenBuffer(
    context,
    (target) =>
      draw(target, {
        neighbourhood,
        places: layout.places,
        view,
        style,
        spriteOf,
        active: hovered ?? selected,
        // What is outside the canvas may be moved into it.
        frame: isMoved ? NO_FRAME : { left: 0, right: size.width, top: 0, bottom: size.height },
      }),
    schedule,
  );
  const redraw = () => {
    buffer.isStale = true;
    schedule();
  };
  const spriteOf = createSprites(redraw);
  const move = (next: View) => {
    view = next;
    isMoved = true;
    schedule();
  };
  const activate = (next: { hovered: number | null; selected: number | null }) => {
    if (next.hovered === hovered && next.selected === selected) return;
    ({ hovered, selected } = next);
    const index = hovered ?? selected;
    handlers.onActive({ index, isSelected: index === selected });
    redraw();
  };
  const hit = ({ x, y }: Point): number | null => {
    const discs = discsOf({ places: layout.places, view });
    const index = discs.findLastIndex((disc) => Math.hypot(disc.x - x, disc.y - y) < disc.radius + REACH);
    return index === -1 ? null : index;
  };
  const zoom = (factor: number, at: Point = { x: size.width / 2, y: size.height / 2 }) => {
    const scale = Math.min(MAX_SCALE, view.scale * factor);
    if (scale <= viewOfAll(layout.places, size).scale) {
      const wasMoved = isMoved;
      showAll();
      return wasMoved;
    }
    const by = scale / view.scale;
    move({ x: at.x + (view.x - at.x) * by, y: at.y + (view.y - at.y) * by, scale });
    return by !== 1;
  };
  const showAll = () => {
    isMoved = false;
    schedule();
  };

  const stopListening = listen(canvas, {
    pan: (dx, dy) => move({ ...view, x: view.x + dx, y: view.y + dy }),
    zoom,
    fit: showAll,
    hover(at) {
      const index = at === null ? null : hit(at);
      canvas.dataset.target = index === null ? 'none' : 'node';
      activate({ hovered: index, selected });
    },
    tap(at) {
      const index = hit(at);
      if (index !== null && index === selected) handlers.onOpen(index);
      else activate({ hovered: null, selected: index });
    },
    step(by) {
      const count = layout.places.length;
      activate({ hovered: null, selected: ((selected ?? (by === 1 ? -1 : 0)) + by + count) % count });
    },
    open: () => selected !== null && handlers.onOpen(selected),
    expand: () => selected !== null && handlers.onExpand(selected),
    deselect: () => activate({ hovered: null, selected: null }),
  });
  const resizing = new ResizeObserver(() => {
    const next = { width: canvas.clientWidth, height: canvas.clientHeight, ratio: devicePixelRatio };
    view = { ...view, x: view.x + (next.width - size.width) / 2, y: view.y + (next.height - size.height) / 2 };
    size = next;
    canvas.width = Math.round(size.width * size.ratio);
    canvas.height = Math.round(size.height * size.ratio);
    buffer.isStale = true;
    paint();
  });
  resizing.observe(canvas);
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  const recolour = () => {
    style = styleOf(canvas);
    redraw();
  };
  scheme.addEventListener('change', recolour);
  const theming = new MutationObserver(recolour);
  theming.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  return {
    show(next) {
      const known = new Map(neighbourhood.nodes.map(({ address }, index) => [address, layout.places[index] as Place]));
      neighbourhood = next;
      layout = createLayout(next, known, canvas.clientWidth / canvas.clientHeight);
      lastStep = performance.now();
      redraw();
    },
    zoom,
    fit: showAll,
    hover: (index) => activate({ hovered: index, selected }),
    end() {
      cancelAnimationFrame(frame);
      buffer.end();
      stopListening();
      resizing.disconnect();
      scheme.removeEventListener('change', recolour);
      theming.disconnect();
    },
  };
}

function viewOfAll(places: readonly Place[], { width, height }: { width: number; height: number }): View {
  // Room for the names at the sides.
  const margin = { x: Math.min(96, width / 8), y: 28 };
  const left = Math.min(...places.map(({ x, radius }) => x - radius));
  const right = Math.max(...places.map(({ x, radius }) => x + radius));
  const top = Math.min(...places.map(({ y, radius }) => y - radius));
  const bottom = Math.max(...places.map(({ y, radius }) => y + radius));
  const scale = Math.min((width - 2 * margin.x) / (right - left), (height - 2 * margin.y) / (bottom - top), 1.6);
  return { x: width / 2 - ((left + right) / 2) * scale, y: height / 2 - ((top + bottom) / 2) * scale, scale };
}

/** A canvas does not know custom properties, so an element resolves them. */
function styleOf(canvas: HTMLCanvasElement): Style {
  const probe = document.createElement('span');
  canvas.after(probe);
  const resolve = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const style = {
    ink: resolve('ink'),
    soft: resolve('soft'),
    surface: resolve('surface'),
    relations: {
      mutual: resolve('mutual'),
      out: resolve('out'),
      in: resolve('in'),
      none: resolve('none'),
      viewer: resolve('ink'),
    },
    font: `${Number.parseFloat(getComputedStyle(probe).fontSize) * 0.75}px system-ui, sans-serif`,
  };
  probe.remove();
  return style;
}
