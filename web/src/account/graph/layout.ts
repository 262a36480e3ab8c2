import {
  forceCollide,
  forceLink,
  forceManyBody,
  forceSimulation,
  forceX,
  forceY,
  type SimulationNodeDatum,
} from 'd3-force';
import type { Neighbourhood, Node } from './load.ts';

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

const layouts = new WeakMap<Neighbourhood, Layout>();

/** Returns the layout of a neighbourhood, which is settled already if it was shown before. */
export function layoutOf(neighbourhood: Neighbourhood): Layout {
  const known = layouts.get(neighbourhood);
  if (known !== undefined) return known;
  const layout = createLayout(neighbourhood);
  layouts.set(neighbourhood, layout);
  return layout;
}

function createLayout({ nodes, edges }: Neighbourhood): Layout {
  const places = nodes.map(placeOf);
  // Every account is linked with the centre: these edges would only hide the groups.
  const links = edges
    .filter(({ source, target }) => source !== 0 && target !== 0)
    .map(({ source, target, isMutual }) => ({ source, target, isMutual }));
  const simulation = forceSimulation(places)
    .stop()
    .alphaDecay(0.02)
    .force('links', forceLink(links).distance(90))
    .force(
      'charge',
      forceManyBody<Place>().strength((place, index) => (index === 0 ? -900 : -130 - 14 * place.radius)),
    )
    .force('collision', forceCollide<Place>((place) => place.radius * 1.3 + 10).iterations(2))
    .force('x', forceX(0).strength(0.07))
    .force('y', forceY(0).strength(0.1));
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
  const radius = Math.min(22, 6 + 2.1 * Math.log2(1 + (followers ?? 0) / 4));
  if (index === 0) return { x: 0, y: 0, fx: 0, fy: 0, radius: Math.max(18, radius) };
  const angle = (Number.parseInt(address.slice(2, 8), 16) / 0x1000000) * 2 * Math.PI;
  const distance = 80 + (Number.parseInt(address.slice(8, 14), 16) / 0x1000000) * 180;
  return { x: Math.cos(angle) * distance, y: Math.sin(angle) * distance, radius };
}
