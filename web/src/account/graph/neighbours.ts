import type { Neighbourhood, Node } from './neighbourhood.ts';

/** The accounts in the picture that one follows, and those that follow it. */
export function neighboursOf({ nodes, edges }: Neighbourhood, index: number) {
  const follows: Node[] = [];
  const followedBy: Node[] = [];
  for (const { source, target, isMutual } of edges) {
    if (source !== index && target !== index) continue;
    const other = nodes[source === index ? target : source];
    if (other === undefined) continue;
    if (isMutual || source === index) follows.push(other);
    if (isMutual || target === index) followedBy.push(other);
  }
  return { follows, followedBy };
}

/** The accounts that each one follows. */
export function followsOfAll({ nodes, edges }: Neighbourhood): readonly (readonly Node[])[] {
  const lists = nodes.map((): Node[] => []);
  const add = (from: number, to: number) => {
    const node = nodes[to];
    if (node !== undefined) lists[from]?.push(node);
  };
  for (const { source, target, isMutual } of edges) {
    add(source, target);
    if (isMutual) add(target, source);
  }
  return lists;
}
