/** Points of the left side as x, y and radius, in the units of the picture. */
const SIDE = [
  [14, 96, 5],
  [78, 40, 8],
  [60, 178, 4],
  [132, 118, 11],
  [178, 36, 4],
  [226, 92, 5],
  [22, 262, 8],
  [112, 250, 5],
  [192, 200, 6],
  [160, 312, 4],
  [64, 348, 5],
  [236, 286, 3],
] as const;

/** Both sides, turned by 180 degrees; the middle is for the text. */
const POINTS = [...SIDE, ...SIDE.map(([x, y, radius]) => [1200 - x, 380 - y, radius] as const)];

const MAX_EDGE = 112;

const EDGES = POINTS.flatMap((a, index) =>
  POINTS.slice(index + 1)
    .filter((b) => Math.hypot(a[0] - b[0], a[1] - b[1]) < MAX_EDGE)
    .map((b) => `M${a[0]} ${a[1]}L${b[0]} ${b[1]}`),
).join('');

/** A picture of a graph, for decoration only. */
export function Constellation() {
  return (
    <svg class="constellation" viewBox="0 0 1200 380" aria-hidden="true">
      <path d={EDGES} />
      {POINTS.map(([x, y, radius], index) => (
        <circle key={index} cx={x} cy={y} r={radius} class={index % 12 === 3 ? 'warm' : ''} />
      ))}
    </svg>
  );
}
