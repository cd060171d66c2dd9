/** A bar: from one value to another, and how many pixels have one between them. */
export interface Bar {
  readonly lowEdge: number;
  readonly highEdge: number;
  readonly count: number;
}

/** Bars as steps: values of edges, and the count right of each; the last edge has none. */
export function stepsOf(bars: readonly Bar[]): [number[], number[]] {
  const edges = bars.map(({ lowEdge }) => lowEdge);
  const last = bars.at(-1);
  if (last !== undefined) edges.push(last.highEdge);
  return [edges, bars.length === 0 ? [] : [...bars.map(({ count }) => count), last?.count ?? 0]];
}
