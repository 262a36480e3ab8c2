import { discsOf, draw, type Style, type View } from './draw.ts';
import { listen, type Point } from './gestures.ts';
import { layoutOf, type Place } from './layout.ts';
import type { Neighbourhood } from './load.ts';
import { createOffscreenBuffer } from './offscreen-buffer.ts';

export interface Picture {
  zoom(factor: number): void;
  fit(): void;
  highlight(index: number | null): void;
  end(): void;
}

interface Handlers {
  onHighlight(index: number | null): void;
  onOpen(index: number, inNewTab: boolean): void;
}

/** Of a frame, for the layout, in milliseconds. */
const TIME_PER_FRAME = 8;
/** By time and not by frame, so that a slow machine draws fewer frames instead of moving for longer. */
const STEPS_PER_MS = 0.3;
const MIN_SCALE = 0.15;
const MAX_SCALE = 8;
/** How far from a node a pointer still hits it. */
const REACH = 6;

/** Draws a neighbourhood on a canvas, and lets people move it and choose a node. */
export function createPicture(canvas: HTMLCanvasElement, neighbourhood: Neighbourhood, handlers: Handlers): Picture {
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser cannot draw the graph.');
  const layout = layoutOf(neighbourhood);
  const { places } = layout;
  const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let size = { width: 0, height: 0, ratio: 1 };
  let style = styleOf(canvas);
  let view: View = { x: 0, y: 0, scale: 1 };
  /** Whether the view is that of the user instead of the whole picture. */
  let isMoved = false;
  let active: number | null = null;
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
    if (!isMoved) view = viewOfAll(places, size);
    buffer.show(view, size);
  }
  const buffer = createOffscreenBuffer(
    context,
    (target) => draw(target, { neighbourhood, places, view, style, active }),
    schedule,
  );
  const redraw = () => {
    buffer.isStale = true;
    schedule();
  };
  const move = (next: View) => {
    view = next;
    isMoved = true;
    schedule();
  };
  const highlight = (index: number | null) => {
    if (index === active) return;
    active = index;
    handlers.onHighlight(index);
    redraw();
  };
  const hit = ({ x, y }: Point): number | null => {
    const discs = discsOf({ places, view });
    const index = discs.findLastIndex((disc) => Math.hypot(disc.x - x, disc.y - y) < disc.radius + REACH);
    return index === -1 ? null : index;
  };
  const zoom = (factor: number, at: Point = { x: size.width / 2, y: size.height / 2 }) => {
    const scale = Math.min(MAX_SCALE, Math.max(MIN_SCALE, view.scale * factor));
    const by = scale / view.scale;
    move({ x: at.x + (view.x - at.x) * by, y: at.y + (view.y - at.y) * by, scale });
  };
  const fit = () => {
    isMoved = false;
    schedule();
  };

  const stopListening = listen(canvas, {
    pan: (dx, dy) => move({ ...view, x: view.x + dx, y: view.y + dy }),
    zoom,
    fit,
    hover(at) {
      const index = at === null ? null : hit(at);
      canvas.dataset.target = index === null ? 'none' : 'node';
      highlight(index);
    },
    tap(at, event) {
      const index = hit(at);
      // A finger cannot hover: its first tap shows the account, its second opens it.
      if (index !== null && (event.pointerType === 'mouse' || index === active)) {
        handlers.onOpen(index, event.ctrlKey || event.metaKey);
      } else highlight(index);
    },
    step(by) {
      const count = places.length;
      highlight(((active ?? (by === 1 ? -1 : 0)) + by + count) % count);
    },
    open: () => active !== null && handlers.onOpen(active, false),
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
    zoom,
    fit,
    highlight,
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
  const margin = { x: Math.min(64, width / 10), y: 24 };
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
    accent: resolve('accent'),
    warm: resolve('warm'),
    surface: resolve('surface'),
    font: `${Number.parseFloat(getComputedStyle(probe).fontSize) * 0.75}px system-ui, sans-serif`,
  };
  probe.remove();
  return style;
}
