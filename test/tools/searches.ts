/** Whether this is the nightly run, which looks for more than a run that judges a change. */
export const isNightly = process.env.PROPERTY_RUNS !== undefined;

/** Number of rounds of a search for faults. */
export function searches(few: number, nightly: number): number {
  return isNightly ? nightly : few;
}
