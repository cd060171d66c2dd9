/** Number of rounds of a search for faults: few where a change is judged, many in the nightly run, which looks for more. */
export function searches(few: number, nightly: number): number {
  return process.env.PROPERTY_RUNS === undefined ? few : nightly;
}
