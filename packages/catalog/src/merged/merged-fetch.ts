import { TimeLimit } from "@swath/http";
import type { CatalogOptions, Place, PlacedPage } from "../catalog.ts";
import { CatalogError, isUpstreamFault } from "../errors.ts";
import type { Member, MemberGap } from "./merged-cursors.ts";

/** The items that one member contributes to a page. */
export interface Fetched {
  readonly from: MemberGap;
  /** Absent where the member has nothing in the direction of the walk, or is missing. */
  readonly page: PlacedPage | undefined;
  /** Whether the member has items beyond its page, in the direction of the walk. */
  readonly more: boolean;
  /** Whether it did not answer, or was not asked for that. */
  readonly isMissing: boolean;
}

/** The rules for members that fail. */
export interface MemberLimits {
  /** Whether the page fails where one member does. */
  readonly isWhole: boolean;
  /** Milliseconds for which a member is waited for. */
  readonly memberMs: number;
  /** Whether a member, by its name, is not asked now because it does not answer. */
  readonly isHeld: (name: string) => boolean;
}

interface Walk {
  /** Places in the members; absent for the first page. */
  readonly gaps: readonly MemberGap[] | undefined;
  readonly direction: Place["direction"];
}

type Outcome = Fetched | { readonly from: MemberGap; readonly fault: CatalogError };

/**
 * A page of each member from its own gap.
 *
 * @throws {CatalogError} where none of those that are asked answers, or where one does not and the page has to be whole:
 *   with the names of all that fail.
 */
export async function fetchMembers(
  members: readonly Member[],
  limit: number,
  { gaps, direction }: Walk,
  options: CatalogOptions & MemberLimits,
): Promise<readonly Fetched[]> {
  const { without = [], isWhole, isHeld } = options;
  const left = members.filter(({ name }) => !without.includes(name));
  const held = isWhole ? [] : left.filter(({ name }) => isHeld(name));
  // while all of them are left out, they are asked all the same: one may have come back
  const asked = held.length === left.length ? left : left.filter((each) => !held.includes(each));
  const outcomes = await Promise.all(
    members.map(async (member, i): Promise<Outcome> => {
      const from = gaps?.[i] ?? { gap: undefined, count: undefined };
      // nothing is before the first item
      if (from.gap === undefined && direction === "prev") {
        return { from, page: undefined, more: false, isMissing: false };
      }
      if (!asked.includes(member)) return { from, fault: notAsked(member.name) };
      try {
        const page = await pageOf(member, limit, { from, direction }, options);
        return { from, page, more: direction === "prev" ? page.hasPrev : page.hasNext, isMissing: false };
      } catch (error) {
        options.signal?.throwIfAborted();
        if (!isUpstreamFault(error)) throw error;
        return { from, fault: error };
      }
    }),
  );
  const faults = outcomes.flatMap((each, i) => ("fault" in each ? [{ ...each, name: members[i]?.name ?? "" }] : []));
  const isAnswered = outcomes.some((each) => !("fault" in each));
  const [first] = faults;
  if (first !== undefined && (isWhole || !isAnswered)) throw joinedFault(first.fault, faults);
  return outcomes.map((each) =>
    "fault" in each ? { from: each.from, page: undefined, more: false, isMissing: true } : each,
  );
}

async function pageOf(
  { name, catalog, query }: Member,
  limit: number,
  { from, direction }: { readonly from: MemberGap; readonly direction: Place["direction"] },
  { memberMs, signal, ...options }: CatalogOptions & MemberLimits,
): Promise<PlacedPage> {
  const at = from.gap === undefined ? undefined : { gap: from.gap, direction };
  const time = new TimeLimit(memberMs, `No page within ${memberMs} ms.`, signal);
  try {
    return await catalog.searchAt({ ...query, limit }, at, { ...options, signal: time.signal });
  } catch (error) {
    if (!time.isOver || signal?.aborted === true) throw error;
    throw new CatalogError("timeout", `The upstream "${name}" took too long.`, { cause: error, upstreams: [name] });
  } finally {
    time.end();
  }
}

/** The fault of an upstream that is left out of a search. */
export function notAsked(name: string): CatalogError {
  return new CatalogError("unavailable", `The upstream "${name}" did not answer a moment ago.`, { upstreams: [name] });
}

interface Fault {
  readonly name: string;
  readonly fault: CatalogError;
}

/** The first fault, with the names of all that have failed, and the least of the times after which to try again. */
export function joinedFault({ code, message, cause }: CatalogError, faults: readonly Fault[]): CatalogError {
  const times = faults.flatMap(({ fault }) => fault.retryAfter ?? []);
  const retryAfter = times.length === 0 ? undefined : Math.min(...times);
  return new CatalogError(code, message, { cause, retryAfter, upstreams: faults.map(({ name }) => name) });
}
