import { describe, expect, it } from 'vitest';
import { type Box, placeLabel } from '../../web/src/account/graph/labels.ts';

const WIDTH = 80;
const discs = Array.from({ length: 100 }, (_, index) => ({
  x: (index % 10) * 70 + ((index * 37) % 40),
  y: Math.floor(index / 10) * 50 + ((index * 53) % 30),
  radius: 8 + (index % 5) * 3,
}));

function placeAll(): Box[] {
  const labels: Box[] = [];
  for (const disc of discs) {
    const box = placeLabel(disc, WIDTH, labels, discs);
    if (box !== null) labels.push(box);
  }
  return labels;
}

describe('the names in the picture of a neighbourhood', () => {
  it('do not overlap among a hundred accounts', () => {
    const labels = placeAll();
    const overlapping = labels.flatMap((a, index) =>
      labels
        .slice(index + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
    );
    expect(overlapping).toEqual([]);
    expect(labels.length).toBeGreaterThan(20);
  });

  it('cover no account', () => {
    const covered = placeAll().flatMap(({ left, right, top, bottom }) =>
      discs.filter(({ x, y }) => left < x && x < right && top < y && y < bottom),
    );
    expect(covered).toEqual([]);
  });

  it('are beside an account at the edge of the picture, and not cut off', () => {
    const disc = { x: 15, y: 50, radius: 10 };
    const frame = { left: 0, right: 200, top: 0, bottom: 100 };
    expect(placeLabel(disc, WIDTH, [], [disc], frame)?.left).toBeGreaterThan(disc.x + disc.radius);
    expect(placeLabel(disc, WIDTH, [], [disc], { ...frame, right: 60 })).toBeNull();
  });

  it('are above an account if there is no room below it', () => {
    const disc = { x: 0, y: 0, radius: 10 };
    const below = { x: 0, y: 25, radius: 10 };
    const box = placeLabel(disc, WIDTH, [], [disc, below]);
    expect(box?.bottom).toBeLessThan(disc.y - disc.radius);
  });
});
