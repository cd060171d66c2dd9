/** What repeated runs of one piece of work cost. Milliseconds a run; CPU is of all threads of the process. */
export interface Cost {
  readonly wallMedian: number;
  readonly wallP95: number;
  readonly wallMin: number;
  readonly cpuMedian: number;
  readonly cpuMin: number;
}

export const MS = 1000;

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

/**
 * Runs `work` in batches of `batch`, `times` of them, after `warmUp` runs that do not count. A batch makes what the
 * clock of CPU time rounds away small; a figure is that of one run.
 */
export async function measure(
  work: (i: number) => Promise<unknown>,
  { times = 30, batch = 1, warmUp = 3 }: { times?: number; batch?: number; warmUp?: number } = {},
): Promise<Cost> {
  for (let i = 0; i < warmUp; i++) await work(i);
  const walls: number[] = [];
  const cpus: number[] = [];
  for (let i = 0; i < times; i++) {
    const cpu = cpuNow();
    const start = performance.now();
    for (let k = 0; k < batch; k++) await work(i * batch + k);
    walls.push((performance.now() - start) / batch);
    cpus.push((cpuNow() - cpu) / batch);
  }
  return costOf(walls, cpus);
}
