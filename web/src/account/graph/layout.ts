import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import type { Neighbourhood, Node } from './neighbourhood.ts';

export interface Place extends SimulationNodeDatum {
  x: number;
  y: number;
  readonly radius: number;
}

export interface Layout {
  /** In the order of the nodes. */
  readonly places: readonly Place[];
  isSettled(): boolean;
  /** Makes steps until the layout is settled, the steps are made or the time, in milliseconds, is over. */
  advance(steps: number, time: number): void;
}

/** Weak, because a hundred accounts may have thousands of edges, which would pull all of them together. */
const LINK_STRENGTH = 0.02;

/** Accounts that had a place keep it at first. `aspect` is the width of the canvas divided by its height. */
export function createLayout(
  { nodes, edges }: Neighbourhood,
  before: ReadonlyMap<string, Place>,
  aspect: number,
): Layout {
  const places = nodes.map((node, index) => before.get(node.address) ?? placeOf(node, index));
  const added = nodes.filter(({ address }) => !before.has(address)).length;
  // Every account is linked with the centre: these edges would only hide the groups.
  const links = edges
    .filter(({ source, target }) => source !== 0 && target !== 0)
    .map(({ source, target, isMutual }) => ({ source, target, isMutual }));
  const simulation = forceSimulation(places)
    .stop()
    .alpha(Math.min(1, (2 * added) / nodes.length))
    .alphaDecay(0.02)
    .force('links', forceLink(links).distance(90).strength(LINK_STRENGTH))
    .force('charge', forceManyBody<Place>().strength(-90))
    .force('collision', forceCollide<Place>((place, index) => place.radius + (index === 0 ? 70 : 22)).iterations(2))
    .force('x', forceX(0).strength(0.05))
    .force('y', forceY(0).strength(0.05 * aspect));
  const isSettled = () => simulation.alpha() < simulation.alphaMin();
  return {
    places,
    isSettled,
    advance(steps, time) {
      const end = performance.now() + time;
      for (let step = 0; step < steps && !isSettled() && performance.now() < end; step += 1) simulation.tick();
    },
  };
}

/** The start is derived from the address, so that the same accounts get the same picture. */
function placeOf({ address, followers }: Node, index: number): Place {
  const radius = Math.min(24, 7 + 2 * Math.log2(1 + followers / 4));
  if (index === 0) return { x: 0, y: 0, fx: 0, fy: 0, radius: Math.max(24, radius) };
  const angle = (Number.parseInt(address.slice(2, 8), 16) / 0x1000000) * 2 * Math.PI;
  const distance = 80 + (Number.parseInt(address.slice(8, 14), 16) / 0x1000000) * 180;
  return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance, radius };
}
