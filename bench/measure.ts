/** Repeated measurements of one piece of work. */
export interface Summary {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/**
 * The cost of one run: milliseconds by the clock, milliseconds of user and system time of all threads, bytes of output.
 */
export interface Run {
  readonly wall: number;
  readonly cpu: number;
  readonly bytes: number;
}

/** Median, least and greatest of some values; the lower of the two middle ones where their number is even. */
export function summarize(values: readonly number[]): Summary {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (i: number): number => sorted[i] ?? Number.NaN;
  return { median: at(Math.floor((sorted.length - 1) / 2)), min: at(0), max: at(sorted.length - 1) };
}

const MS = 1000;

/** User and system time of this process since its launch, milliseconds, all threads. */
export function cpuNow(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / MS;
}

/** Measures one run in this process. @param work returns the bytes of its output */
export async function measure(work: () => Promise<number>): Promise<Run> {
  const cpu = cpuNow();
  const start = performance.now();
  const bytes = await work();
  return { wall: performance.now() - start, cpu: cpuNow() - cpu, bytes };
}

/** Flags with which the image runs Node. */
export const HEAP_FLAGS: readonly string[] = ["--max-semi-space-size=4", "--initial-old-space-size=64"];
/** Flags with which `npm start` runs Node (`scripts/run.mjs`), from the sources. */
export const NODE_FLAGS: readonly string[] = ["--conditions=@swath/source", ...HEAP_FLAGS];
