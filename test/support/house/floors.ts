import { randomNumbers } from '../fixtures/random-numbers.ts';
import type { Graph } from './graph.ts';

const STARTS = 400;

export interface Floors {
  /** Nodes of the longest chain that goes down. */
  readonly floors: number;
  /** The edges that go up, as `from → to`. */
  readonly arrowsUp: readonly string[];
}

/**
 * The order of the nodes in which the fewest edges go up, and of those one with the fewest floors. Found by search from many
 * random orders: exact for graphs with few cycles.
 */
export function floorsOf(graph: Graph): Floors {
  const random = randomNumbers(1);
  let best: Floors | undefined;
  for (let start = 0; start < STARTS; start += 1) {
    const shuffled = [...graph.keys()].map((node) => ({ node, rank: random() }));
    const order = shuffled.toSorted((a, b) => a.rank - b.rank).map(({ node }) => node);
    while (moveNodes(order, graph));
    const found = floorsIn(order, graph);
    if (best === undefined || isLess(found, best)) best = found;
  }
  return best ?? { floors: 0, arrowsUp: [] };
}

function isLess(one: Floors, other: Floors): boolean {
  const arrows = one.arrowsUp.length - other.arrowsUp.length;
  return arrows < 0 || (arrows === 0 && one.floors < other.floors);
}

/** Moves each node to the place that leaves the fewest edges that go up. Returns whether one has moved. */
function moveNodes(order: string[], graph: Graph): boolean {
  let hasMoved = false;
  for (const node of graph.keys()) {
    const from = order.indexOf(node);
    const to = bestPlace(order, from, graph);
    if (to === from) continue;
    order.splice(from, 1);
    order.splice(to, 0, node);
    hasMoved = true;
  }
  return hasMoved;
}

function bestPlace(order: readonly string[], from: number, graph: Graph): number {
  const node = order[from] ?? '';
  let best = { place: from, change: 0 };
  for (const step of [-1, 1]) {
    let change = 0;
    for (let place = from + step; place >= 0 && place < order.length; place += step) {
      const passed = order[place] ?? '';
      const up = has(graph, passed, node) - has(graph, node, passed);
      change -= step * up;
      if (change < best.change) best = { place, change };
    }
  }
  return best.place;
}

function has(graph: Graph, from: string, to: string): number {
  return graph.get(from)?.has(to) === true ? 1 : 0;
}

function floorsIn(order: readonly string[], graph: Graph): Floors {
  const heights = new Map<string, number>();
  const arrowsUp: string[] = [];
  for (const node of order.toReversed()) {
    let height = 1;
    for (const next of graph.get(node) ?? []) {
      const below = heights.get(next);
      if (below === undefined) arrowsUp.push(`${node} → ${next}`);
      else height = Math.max(height, below + 1);
    }
    heights.set(node, height);
  }
  return { floors: Math.max(0, ...heights.values()), arrowsUp: arrowsUp.toSorted() };
}
