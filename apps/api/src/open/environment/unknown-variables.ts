import { suggest } from "@swath/schema";

/** Variables of tests and measurements, which are set where the service is developed. */
const OF_TOOLS = /^SWATH_(FIXTURES|SCHEMAS|BENCH_|FLEET_|SOAK_|TEST_)/;

/**
 * Lines about variables that look like the service's own and are none: misspelt ones would else be ignored in silence.
 *
 * @param present names of the environment.
 * @param known names that the service reads.
 */
export function unknownVariables(present: Iterable<string>, known: readonly string[]): string[] {
  const read = new Set(known);
  return [...present]
    .filter((name) => name.startsWith("SWATH_") && !read.has(name) && !OF_TOOLS.test(name))
    .sort()
    .map((name) => {
      const [near] = suggest(name, known, 1);
      return `${name} is no variable of this service.${near === undefined ? "" : ` Did you mean ${near}?`}`;
    });
}
