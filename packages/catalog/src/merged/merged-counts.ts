import type { CountRequest } from "@swath/query/aggregation";
import type { CatalogOptions } from "../catalog.ts";
import { countItems, MAX_COUNTED } from "../counts/count-pages.ts";
import { type Counts, noCounts, sumOfCounts } from "../counts/counts.ts";
import { type CatalogError, isUpstreamFault } from "../errors.ts";
import type { Member } from "./merged-cursors.ts";
import { joinedFault, type MemberLimits, notAsked } from "./merged-fetch.ts";

/**
 * The counts of several catalogs together; they share the items that may be read. Those that do not answer are missing.
 *
 * @throws {CatalogError} where none of them answers, or where one does not and the counts have to be whole.
 */
export async function mergedCounts(
  members: readonly Member[],
  request: CountRequest,
  { without = [], isWhole, isHeld, maxItems = MAX_COUNTED, signal }: CatalogOptions & Omit<MemberLimits, "memberMs">,
): Promise<Counts> {
  if (members.length === 0) return noCounts(request);
  const isSeveral = members.length > 1;
  const share = { signal, maxItems: Math.floor(maxItems / members.length) };
  const outcomes = await Promise.all(
    members.map(async ({ name, catalog, query }): Promise<Counts | { name: string; fault: CatalogError }> => {
      if (without.includes(name) || (isSeveral && !isWhole && isHeld(name))) return { name, fault: notAsked(name) };
      try {
        return await countItems(catalog, query, request, share);
      } catch (error) {
        signal?.throwIfAborted();
        if (!isUpstreamFault(error)) throw error;
        return { name, fault: error };
      }
    }),
  );
  const faults = outcomes.flatMap((each) => ("fault" in each ? [each] : []));
  const answered = outcomes.flatMap((each) => ("fault" in each ? [] : [each]));
  const [first] = faults;
  if (first === undefined) return sumOfCounts(answered, request);
  if (isWhole || answered.length === 0) throw joinedFault(first.fault, faults);
  const missing = { counts: new Map(), missing: faults.map(({ name }) => name) };
  return sumOfCounts([...answered, missing], request);
}
