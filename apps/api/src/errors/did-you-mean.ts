import { suggest } from "@swath/schema";

/** The end of a message about an unknown name: ` Did you mean "red"?`; empty where no known name is near. */
export function didYouMean(given: string, known: Iterable<string>): string {
  const [near] = suggest(given, known, 1);
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}
