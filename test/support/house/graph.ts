/** The nodes that each node points to. */
export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Each group of nodes that reach one another, by Tarjan's algorithm. */
export function cyclesIn(graph: Graph): ReadonlyArray<readonly string[]> {
  const numbers = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    const number = numbers.size;
    numbers.set(node, number);
    let low = number;
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!numbers.has(next)) low = Math.min(low, visit(next));
      else if (stack.includes(next)) low = Math.min(low, numbers.get(next) ?? low);
    }
    if (low === number) cycles.push(stack.splice(stack.indexOf(node)));
    return low;
  };
  for (const node of graph.keys()) if (!numbers.has(node)) visit(node);
  return cycles.filter(({ length }) => length > 1);
}
