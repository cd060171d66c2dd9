import type { ItemQuery } from "@swath/query";
import type { Gap, MergeableCatalog, Place } from "../catalog.ts";
import { CatalogError } from "../errors.ts";
import { isGap } from "../order/placed-page.ts";

/** A catalog with its part of a search. */
export interface Member {
  readonly name: string;
  readonly catalog: MergeableCatalog;
  /** The search on the member's own collections. */
  readonly query: ItemQuery;
}

/**
 * The place of a merged page among the items of one member, and the number of them that match, for pages that do not
 * query it.
 */
export interface MemberGap {
  /** Absent before its first item. */
  readonly gap: Gap | undefined;
  readonly count: number | undefined;
}

/** The gap of a merged page: the gaps of the members in their order. */
export function toMergedGap(members: readonly Member[], gaps: readonly MemberGap[]): Gap {
  return members.map(({ name }, i) => [name, gaps[i]?.gap ?? [], gaps[i]?.count ?? null]);
}

/** @throws {CatalogError} `invalid-token` for a gap of other members. */
export function memberGaps(members: readonly Member[], { gap }: Place): readonly MemberGap[] {
  if (gap.length !== members.length) throw unknownToken();
  return gap.map((entry, i): MemberGap => {
    const [name, own, count] = Array.isArray(entry) ? entry : [];
    if (name !== members[i]?.name || !isGap(own)) throw unknownToken();
    return {
      gap: own.length === 0 ? undefined : own,
      count: typeof count === "number" && Number.isSafeInteger(count) ? count : undefined,
    };
  });
}

function unknownToken(): CatalogError {
  return new CatalogError("invalid-token", "The token is not one of this service.");
}
