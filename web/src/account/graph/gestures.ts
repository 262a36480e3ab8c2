export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface GestureHandlers {
  pan(dx: number, dy: number): void;
  /** Returns whether anything has changed. */
  zoom(factor: number, at?: Point): boolean;
  fit(): void;
  hover(at: Point | null): void;
  tap(at: Point): void;
  /** To the next or the previous account. */
  step(by: 1 | -1): void;
  open(): void;
  expand(): void;
  deselect(): void;
}

const PAN_STEP = 40;
const ZOOM_STEP = 1.3;
/** A pointer that moves less has tapped. */
const DRAG_DISTANCE = 4;
/** Turns of the wheel with shorter breaks, in milliseconds, are one gesture. */
const WHEEL_BREAK = 300;

const keys: Record<string, (handlers: GestureHandlers) => unknown> = {
  ArrowLeft: (handlers) => handlers.pan(PAN_STEP, 0),
  ArrowRight: (handlers) => handlers.pan(-PAN_STEP, 0),
  ArrowUp: (handlers) => handlers.pan(0, PAN_STEP),
  ArrowDown: (handlers) => handlers.pan(0, -PAN_STEP),
  '+': (handlers) => handlers.zoom(ZOOM_STEP),
  '=': (handlers) => handlers.zoom(ZOOM_STEP),
  '-': (handlers) => handlers.zoom(1 / ZOOM_STEP),
  '0': (handlers) => handlers.fit(),
  n: (handlers) => handlers.step(1),
  p: (handlers) => handlers.step(-1),
  Enter: (handlers) => handlers.open(),
  e: (handlers) => handlers.expand(),
  Escape: (handlers) => handlers.deselect(),
};

/** Turns the events of pointers, wheel and keyboard into gestures. Returns a function that ends this. */
export function listen(canvas: HTMLCanvasElement, handlers: GestureHandlers): () => void {
  const ending = new AbortController();
  const on = <K extends keyof HTMLElementEventMap>(type: K, listener: (event: HTMLElementEventMap[K]) => void) =>
    canvas.addEventListener(type, listener, { signal: ending.signal, passive: false });
  const pointers = new Map<number, Point>();
  /** How far the pointers have moved since the first went down. */
  let distance = 0;

  on('pointerdown', (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    if (pointers.size === 0) distance = 0;
    // Two fingers never tap.
    else distance = DRAG_DISTANCE;
    pointers.set(event.pointerId, pointOf(event));
  });
  on('pointermove', (event) => {
    const from = pointers.get(event.pointerId);
    const to = pointOf(event);
    if (from === undefined) {
      if (event.pointerType === 'mouse') handlers.hover(to);
      return;
    }
    const before = spanOf(pointers);
    pointers.set(event.pointerId, to);
    const after = spanOf(pointers);
    distance += Math.hypot(to.x - from.x, to.y - from.y);
    if (distance < DRAG_DISTANCE) return;
    canvas.dataset.dragged = '';
    if (before.size > 0) handlers.zoom(after.size / before.size, before.middle);
    handlers.pan(after.middle.x - before.middle.x, after.middle.y - before.middle.y);
  });
  const lift = (event: PointerEvent) => {
    const isTap = pointers.delete(event.pointerId) && distance < DRAG_DISTANCE && event.type === 'pointerup';
    if (pointers.size === 0) delete canvas.dataset.dragged;
    if (isTap) handlers.tap(pointOf(event));
  };
  on('pointerup', lift);
  on('pointercancel', lift);
  on('pointerleave', (event) => {
    if (event.pointerType === 'mouse') handlers.hover(null);
  });
  const isScrolling = watchScrolling(canvas, ending.signal);
  on('wheel', (event) => {
    // A page that is being scrolled is scrolled on across the picture. A pinch on a touchpad comes with ctrlKey.
    if (!event.ctrlKey && isScrolling()) return;
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY * 16 : event.deltaY;
    const isZoomed = handlers.zoom(Math.exp(-pixels * (event.ctrlKey ? 0.01 : 0.002)), pointOf(event));
    // At the ends of the zoom the page is scrolled.
    if (isZoomed || event.ctrlKey) event.preventDefault();
  });
  on('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = keys[event.key];
    if (key === undefined) return;
    event.preventDefault();
    key(handlers);
  });
  return () => ending.abort();
}

/** Returns a function that tells whether the current gesture of the wheel scrolls the page instead of the picture. */
function watchScrolling(canvas: HTMLCanvasElement, signal: AbortSignal): () => boolean {
  let last = Number.NEGATIVE_INFINITY;
  let isOutside = false;
  const onWheel = (event: WheelEvent) => {
    if (event.timeStamp - last > WHEEL_BREAK) isOutside = event.target !== canvas;
    last = event.timeStamp;
  };
  addEventListener('wheel', onWheel, { signal, capture: true, passive: true });
  return () => isOutside;
}

const pointOf = (event: MouseEvent): Point => ({ x: event.offsetX, y: event.offsetY });

/** The middle of one or two pointers, and the distance between two. */
function spanOf(pointers: ReadonlyMap<number, Point>): { middle: Point; size: number } {
  const [a = { x: 0, y: 0 }, b = a] = pointers.values();
  return { middle: { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }, size: Math.hypot(a.x - b.x, a.y - b.y) };
}
