/** Data of a chart. `file` is its name in `bench/plots`. */
export type Plot = LinePlot | DotPlot;

interface Picture {
  readonly file: string;
  readonly title: string;
  /** Label of the value axis. */
  readonly axis: string;
}

/** A line per series, by graph size. */
interface LinePlot extends Picture {
  readonly kind: 'lines';
  readonly sizes: readonly number[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** A row per name with a dot per value. */
interface DotPlot extends Picture {
  readonly kind: 'dots';
  readonly dots: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** Readable on white and on black. */
const COLOURS = ['#2f81f7', '#e36209', '#2da44e', '#bf5af2', '#e5484d', '#0c9fb3'];
const DASHES = ['', '6 4'];
const [WIDTH, LEFT, TOP] = [860, 190, 60];
const STEPS = [0.1, 0.2, 0.5, 1, 2, 5, 10];
const MAX_TICKS = 8;
/** With a background, so that the chart is readable on any page. */
const STYLE = `<style>
text { font: 13px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 17px; font-weight: 600 }
.ground { fill: #ffffff } .grid { stroke: #d1d9e0 } .axis { stroke: #59636e }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .ground { fill: #0d1117 } .grid { stroke: #30363d } .axis { stroke: #9198a1 }
}</style>`;

export function renderPlot(plot: Plot): string {
  return plot.kind === 'lines' ? renderLines(plot) : renderDots(plot);
}

function renderLines({ title, axis, sizes, series }: LinePlot): string {
  const [left, right, bottom] = [70, 620, 440];
  const top = Math.max(1, ...series.flatMap(({ values }) => values)) * 1.05;
  const logs = sizes.map(Math.log10);
  const [first, last] = [Math.min(...logs), Math.max(...logs)];
  const x = (size: number) => left + ((Math.log10(size) - first) / (last - first || 1)) * (right - left);
  const y = (value: number) => bottom - (value / top) * (bottom - TOP);
  const step = STEPS.find((size) => top / size <= MAX_TICKS) ?? top;
  const ticks = Array.from({ length: Math.floor(top / step) + 1 }, (_, i) => i * step);
  return picture(title, bottom + 60, [
    ...ticks.map(
      (tick) => line(left, y(tick), right, y(tick), 'grid') + text(left - 8, y(tick) + 4, tick.toFixed(1), 'end'),
    ),
    ...sizes.map(
      (size) => line(x(size), bottom, x(size), bottom + 6, 'axis') + text(x(size), bottom + 22, short(size)),
    ),
    line(left, TOP, left, bottom, 'axis') + line(left, bottom, right, bottom, 'axis'),
    text((left + right) / 2, bottom + 46, 'accounts'),
    text(left, TOP - 8, axis, 'start'),
    ...series.map(({ name, values }, i) => {
      const points = values.map((value, j) => `${x(sizes[j] ?? 1).toFixed(1)},${y(value).toFixed(1)}`);
      const look = `stroke="${colour(i)}" stroke-width="2" fill="none" stroke-dasharray="${dash(i)}"`;
      const legend = TOP + 12 + i * 26;
      return [
        `<polyline points="${points.join(' ')}" ${look}/>`,
        ...values.map((value, j) => dot(x(sizes[j] ?? 1), y(value), colour(i), 3.5)),
        `<path d="M${right + 30} ${legend}h28" ${look}/>${dot(right + 44, legend, colour(i), 3.5)}`,
        text(right + 68, legend + 4, name, 'start'),
      ].join('');
    }),
  ]);
}

function renderDots({ title, axis, dots, rows }: DotPlot): string {
  const right = WIDTH - 30;
  const bottom = TOP + 30 + rows.length * 28;
  const all = rows.flatMap(({ values }) => values).filter((value) => value > 0);
  // Whole decades: the axis is logarithmic.
  const [first, last] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const x = (value: number) => LEFT + ((Math.log10(value) - first) / (last - first || 1)) * (right - LEFT);
  const decades = Array.from({ length: last - first + 1 }, (_, i) => 10 ** (first + i));
  const ticks = decades.flatMap((decade, i) => (i < decades.length - 1 ? [1, 2, 5].map((n) => n * decade) : [decade]));
  return picture(title, bottom + 60, [
    ...ticks.map((tick) => line(x(tick), TOP + 14, x(tick), bottom, 'grid') + text(x(tick), bottom + 20, label(tick))),
    line(LEFT, bottom, right, bottom, 'axis') + text((LEFT + right) / 2, bottom + 44, axis),
    ...dots.map(
      (name, i) => dot(LEFT + 10 + i * 90, TOP - 4, colour(i), 5) + text(LEFT + 22 + i * 90, TOP, name, 'start'),
    ),
    ...rows.map(({ name, values }, row) => {
      const y = TOP + 34 + row * 28;
      const shown = values.map((value, i) => dot(x(value), y, colour(i), 5)).join('');
      return (
        text(LEFT - 10, y + 4, name, 'end') + line(x(Math.min(...values)), y, x(Math.max(...values)), y, 'axis') + shown
      );
    }),
  ]);
}

function picture(title: string, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">
<title>${title}</title>
${STYLE}
<rect class="ground" width="100%" height="100%" rx="8"/>
<text class="title" x="24" y="30">${title}</text>
${parts.join('\n')}
</svg>
`;
}

const colour = (i: number) => COLOURS[i % COLOURS.length] ?? '';
const dash = (i: number) => DASHES[Math.floor(i / COLOURS.length) % DASHES.length] ?? '';
const short = (size: number) => (size >= 1e6 ? `${size / 1e6} M` : size >= 1e3 ? `${size / 1e3} k` : String(size));
const label = (tick: number) => String(Number(tick.toPrecision(1)));
const dot = (x: number, y: number, fill: string, r: number) =>
  `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${r}" fill="${fill}"/>`;
const line = (x1: number, y1: number, x2: number, y2: number, kind: 'grid' | 'axis') =>
  `<path class="${kind}" d="M${x1.toFixed(1)} ${y1.toFixed(1)}L${x2.toFixed(1)} ${y2.toFixed(1)}"/>`;
const text = (x: number, y: number, content: string, anchor: 'start' | 'middle' | 'end' = 'middle') =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}">${content}</text>`;
