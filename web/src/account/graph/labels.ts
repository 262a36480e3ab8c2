export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

const HEIGHT = 15;
const GAP = 4;

export const NO_FRAME: Box = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };

/** The box of a label beside a disc, inside the frame, where it covers nothing; null if there is no room. */
export function placeLabel(
  disc: Disc,
  width: number,
  labels: readonly Box[],
  discs: readonly Disc[],
  frame: Box = NO_FRAME,
): Box | null {
  const isFree = (box: Box) =>
    box.left >= frame.left &&
    box.right <= frame.right &&
    box.top >= frame.top &&
    box.bottom <= frame.bottom &&
    !labels.some((label) => overlaps(box, label)) &&
    !discs.some((other) => other !== disc && covers(box, other));
  return boxesOf(disc, width).find(isFree) ?? null;
}

/** Below, above, to the right and to the left. */
export function boxesOf({ x, y, radius }: Disc, width: number): readonly [Box, ...Box[]] {
  const distance = radius + GAP + HEIGHT / 2;
  const side = radius + GAP + width / 2;
  return [
    boxAt(x, y + distance, width),
    boxAt(x, y - distance, width),
    boxAt(x + side, y, width),
    boxAt(x - side, y, width),
  ];
}

const boxAt = (x: number, y: number, width: number): Box => ({
  left: x - width / 2,
  right: x + width / 2,
  top: y - HEIGHT / 2,
  bottom: y + HEIGHT / 2,
});

function overlaps(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

function covers({ left, right, top, bottom }: Box, { x, y, radius }: Disc): boolean {
  const dx = x - Math.min(right, Math.max(left, x));
  const dy = y - Math.min(bottom, Math.max(top, y));
  return Math.hypot(dx, dy) < radius + 2;
}
