import { isolate, shortAddress } from '../../components/format.ts';
import { type Box, boxesOf, type Disc, placeLabel } from './labels.ts';
import type { Place } from './layout.ts';
import type { Edge, Neighbourhood, Node, Relation } from './neighbourhood.ts';

/** Where the origin is, and the scale. */
export interface View {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Style {
  readonly ink: string;
  readonly soft: string;
  readonly surface: string;
  /** Of the rings of nodes. */
  readonly relations: Readonly<Record<Relation, string>>;
  /** Of the names. */
  readonly font: string;
}

export interface Scene {
  readonly neighbourhood: Neighbourhood;
  readonly places: readonly Place[];
  readonly view: View;
  readonly style: Style;
  readonly spriteOf: (node: Node) => CanvasImageSource;
  /** The node that is highlighted. */
  readonly active: number | null;
  /** What names must not cross. */
  readonly frame: Box;
}

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  const discs = discsOf(scene);
  const near = nearOf(scene);
  drawEdges(context, scene, discs);
  drawNodes(context, scene, discs, near);
  drawNames(context, scene, discs, near);
  context.globalAlpha = 1;
}

/** The nodes on the screen. They grow slower than the distances, so that zooming in separates them. */
export function discsOf({ places, view }: Pick<Scene, 'places' | 'view'>): Disc[] {
  const growth = Math.sqrt(view.scale);
  return places.map(({ x, y, radius }) => ({
    x: view.x + x * view.scale,
    y: view.y + y * view.scale,
    radius: radius * growth,
  }));
}

/** The highlighted node and those that it has an edge with; null if none is highlighted. */
function nearOf({ neighbourhood, active }: Scene): Set<number> | null {
  if (active === null) return null;
  const near = new Set([active]);
  for (const { source, target } of neighbourhood.edges) {
    if (source === active) near.add(target);
    if (target === active) near.add(source);
  }
  return near;
}

function drawEdges(context: CanvasRenderingContext2D, { neighbourhood, style, active }: Scene, discs: Disc[]): void {
  const groups: [Edge[], Edge[], Edge[]] = [[], [], []];
  for (const edge of neighbourhood.edges) {
    if (edge.source === active || edge.target === active) groups[2].push(edge);
    else if (edge.source === 0 || edge.target === 0) groups[0].push(edge);
    else groups[1].push(edge);
  }
  const [ofCentre, others, ofActive] = groups;
  const alpha = Math.min(0.5, 7 / Math.sqrt(others.length)) * (active === null ? 1 : 0.2);
  // Each account has an edge with the centre, so these say least.
  drawGroup(context, ofCentre, discs, style, { alpha: alpha / 3, width: 1 });
  drawGroup(context, others, discs, style, { alpha, width: 1 });
  drawGroup(context, ofActive, discs, style, { alpha: 0.95, width: 1.75 });
}

interface Stroke {
  readonly alpha: number;
  readonly width: number;
}

/** One path of all lines is slow without a graphics processor, and so is a path for each. */
const EDGES_PER_PATH = 40;

function drawGroup(
  context: CanvasRenderingContext2D,
  edges: readonly Edge[],
  discs: readonly Disc[],
  style: Style,
  stroke: Stroke,
): void {
  for (let start = 0; start < edges.length; start += EDGES_PER_PATH) {
    drawPaths(context, edges.slice(start, start + EDGES_PER_PATH), discs, style, stroke);
  }
}

function drawPaths(
  context: CanvasRenderingContext2D,
  edges: readonly Edge[],
  discs: readonly Disc[],
  style: Style,
  { alpha, width }: Stroke,
): void {
  context.globalAlpha = alpha;
  context.lineWidth = width;
  const lines = new Path2D();
  const arrows = new Path2D();
  const mutual = new Path2D();
  for (const edge of edges) {
    const from = discs[edge.source];
    const to = discs[edge.target];
    if (from === undefined || to === undefined) continue;
    if (edge.isMutual) {
      mutual.moveTo(from.x, from.y);
      mutual.lineTo(to.x, to.y);
      continue;
    }
    const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
    const dx = (to.x - from.x) / length;
    const dy = (to.y - from.y) / length;
    const tipX = to.x - dx * (to.radius + 2);
    const tipY = to.y - dy * (to.radius + 2);
    const size = 5 + width;
    lines.moveTo(from.x, from.y);
    lines.lineTo(tipX - dx * size, tipY - dy * size);
    arrows.moveTo(tipX, tipY);
    arrows.lineTo(tipX - dx * size - (dy * size) / 2, tipY - dy * size + (dx * size) / 2);
    arrows.lineTo(tipX - dx * size + (dy * size) / 2, tipY - dy * size - (dx * size) / 2);
  }
  context.strokeStyle = context.fillStyle = style.soft;
  context.stroke(lines);
  context.fill(arrows);
  context.globalAlpha = Math.min(1, alpha * 1.6);
  context.lineWidth = width * 1.25;
  context.strokeStyle = style.relations.mutual;
  context.stroke(mutual);
}

function drawNodes(
  context: CanvasRenderingContext2D,
  { neighbourhood, style, spriteOf, active }: Scene,
  discs: readonly Disc[],
  near: Set<number> | null,
): void {
  for (const [index, { x, y, radius }] of discs.entries()) {
    const node = neighbourhood.nodes[index];
    if (node === undefined) continue;
    context.globalAlpha = near === null || near.has(index) ? 1 : 0.2;
    // The rim separates the node from the edges below it.
    context.fillStyle = style.surface;
    context.beginPath();
    context.arc(x, y, radius + 4, 0, 2 * Math.PI);
    context.fill();
    context.strokeStyle = index === active || index === 0 ? style.ink : style.relations[node.relation];
    context.lineWidth = index === active ? 3.5 : 2.5;
    // Not by colour alone.
    context.setLineDash(node.relation === 'in' ? [4, 3] : []);
    context.stroke();
    context.drawImage(spriteOf(node), x - radius, y - radius, 2 * radius, 2 * radius);
  }
  context.setLineDash([]);
}

/** Draws the names that have room, those of large nodes first. */
function drawNames(
  context: CanvasRenderingContext2D,
  { neighbourhood, style, active, frame }: Scene,
  discs: readonly Disc[],
  near: Set<number> | null,
): void {
  context.font = style.font;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3.5;
  context.strokeStyle = style.surface;
  context.fillStyle = style.ink;
  context.globalAlpha = 1;
  const visible = [...discs.keys()].filter((index) => near === null || near.has(index));
  const bySize = visible.toSorted((a, b) => (discs[b]?.radius ?? 0) - (discs[a]?.radius ?? 0));
  const top8 = visible.filter((index) => neighbourhood.nodes[index]?.isTop8);
  const obstacles = visible.flatMap((index) => discs[index] ?? []);
  const taken: Box[] = [];
  for (const index of new Set([active ?? 0, 0, ...top8, ...bySize])) {
    const node = neighbourhood.nodes[index];
    const disc = discs[index];
    if (node === undefined || disc === undefined || !visible.includes(index)) continue;
    const label = labelOf(node);
    const width = widthOf(context, label) + 6;
    const box =
      placeLabel(disc, width, taken, obstacles, frame) ??
      (index === active || index === 0 ? boxesOf(disc, width)[0] : null);
    if (box === null) continue;
    taken.push(box);
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    context.strokeText(label, x, y);
    context.fillText(label, x, y);
  }
}

const MAX_LABEL = 22;
const widths = new Map<string, number>();

function widthOf(context: CanvasRenderingContext2D, label: string): number {
  const key = `${context.font} ${label}`;
  let width = widths.get(key);
  if (width === undefined) widths.set(key, (width = context.measureText(label).width));
  return width;
}

function labelOf({ name, address, isTop8 }: Node): string {
  const characters = [...(name || shortAddress(address)).slice(0, 4 * MAX_LABEL)];
  const text = characters.length > MAX_LABEL ? `${characters.slice(0, MAX_LABEL - 1).join('')}…` : characters.join('');
  return `${isTop8 ? '★ ' : ''}${isolate(text)}`;
}
