/** What repeated runs of one piece of work cost. Milliseconds a run; CPU is of all threads of the process. */
export interface Cost {
  readonly wallMedian: number;
  readonly wallP95: number;
  readonly wallMin: number;
  readonly cpuMedian: number;
  readonly cpuMin: number;
}

const MS = 1000;

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
const ascending = (values: readonly number[]): number[] => [...values].sort((a, b) => a - b);

export function costOf(walls: readonly number[], cpus: readonly number[]): Cost {
  const wall = ascending(walls);
  const cpu = ascending(cpus);
  return {
    wallMedian: at(wall, 0.5),
    wallP95: at(wall, 0.95),
    wallMin: at(wall, 0),
    cpuMedian: at(cpu, 0.5),
    cpuMin: at(cpu, 0),
  };
}

/** User and system time of this process so far, milliseconds, all threads. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MS;
}

/** How `npm start` runs Node (`scripts/run.mjs`), from the sources. */
export const NODE_FLAGS: readonly string[] = [
  "--conditions=@swath/source",
  "--max-semi-space-size=4",
  "--initial-old-space-size=64",
];
