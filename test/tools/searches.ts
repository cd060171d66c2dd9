/** Whether this is the nightly run, which looks for more than a run that judges a change. */
export const isNightly = process.env.PROPERTY_RUNS !== undefined;

/** Number of rounds of a search for faults. */
export function searches(few: number, nightly: number): number {
  return isNightly ? nightly : few;
}

/**
 * Returns the cases of a test that is exhaustive: all in the nightly run, others a sample in which every class of them is, the
 * same each time.
 *
 * @param classesOf names what a case is about, such as `a mosaic` or `int16`; one case may stand for several classes
 */
export function sampleOf<T>(cases: readonly T[], classesOf: (each: T) => readonly string[]): readonly T[] {
  if (isNightly) return cases;
  const missing = new Set(cases.flatMap(classesOf));
  const taken = new Set<T>();
  while (missing.size > 0) {
    const news = (each: T): number => new Set(classesOf(each).filter((name) => missing.has(name))).size;
    const next = cases.reduce((best, each) => (news(each) > news(best) ? each : best));
    taken.add(next);
    for (const name of classesOf(next)) missing.delete(name);
  }
  return cases.filter((each) => taken.has(each));
}
