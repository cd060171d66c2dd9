/** Work that is measured. */
type Work = () => unknown;

/** The least processor time of one measurement, milliseconds: shorter ones are of the clock and of collected memory. */
const LEAST_MS = 2;
const ROUNDS = 5;

/**
 * Returns how many times the processor time of `other` some work takes. Both are measured in turns on the same machine, so
 * that neither its speed nor its other work counts; of each the fastest round, since the engine compiles and collects memory
 * in one or another of them.
 */
export async function costRatio(work: Work, other: Work): Promise<number> {
  const [calls, otherCalls] = [await callsToMeasure(work), await callsToMeasure(other)];
  let [least, leastOfOther] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round++) {
    least = Math.min(least, await costOf(work, calls));
    leastOfOther = Math.min(leastOfOther, await costOf(other, otherCalls));
  }
  return least / leastOfOther;
}

/** Calls that together take long enough. */
async function callsToMeasure(work: Work): Promise<number> {
  for (let calls = 1; ; calls *= 4) if ((await costOf(work, calls)) * calls >= LEAST_MS) return calls;
}

/** Processor time of one of these calls, milliseconds. */
async function costOf(work: Work, calls: number): Promise<number> {
  const start = process.cpuUsage();
  for (let i = 0; i < calls; i++) await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000 / calls;
}
