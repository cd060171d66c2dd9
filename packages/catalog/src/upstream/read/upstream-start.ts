import { CatalogError } from "../../errors.ts";
import type { OrderedPlace } from "../../order/ordered-gap.ts";
import type { SourceStep } from "../../order/ordered-source.ts";
import type { SortValue } from "../../order/token.ts";
import { bounded, type Conditions, type Side } from "../plan/upstream-bound.ts";
import { cursorBefore } from "../plan/upstream-order.ts";
import type { UpstreamSearch } from "../plan/upstream-search.ts";
import { parseStep, type Step } from "./upstream-step.ts";

/** The page that is requested from an upstream. */
export type PageAt =
  | { readonly kind: "first" }
  | { readonly kind: "cursor"; readonly cursor: string }
  | { readonly kind: "step"; readonly step: Step };

/** The beginning of the reading of a search. */
export interface Start {
  readonly at: PageAt;
  readonly conditions: Conditions | "empty";
  /** The bound that the search begins at; `null`: it is whole. */
  readonly from: SortValue;
  /** Whether pages come in the direction of the walk: false where it is read from its first item on for the way back. */
  readonly isForwards: boolean;
}

/** Whether items beside a gap are behind it in the direction, the item that it names among them. */
export function isIncluded({ gap, direction }: OrderedPlace): boolean {
  return (gap.side === "after") === (direction === "prev");
}

/** The side of a bound on which the items lie that follow in a direction. */
export function sideOf({ order, known }: UpstreamSearch, direction: OrderedPlace["direction"]): Side {
  return (order[known]?.direction === "asc") === (direction === "next") ? "from" : "to";
}

/** A search that begins at a value of its first field; `undefined` where the upstream has no such bound. */
export function startAt(
  search: UpstreamSearch,
  value: SortValue,
  direction: OrderedPlace["direction"],
): Start | undefined {
  const { conditions, order, known, sort, abilities } = search;
  const field = order[known]?.field;
  if (field === undefined || value === null || sort.follows === known) return undefined;
  const found = bounded(conditions, field, value, sideOf(search, direction), abilities);
  return found === undefined ? undefined : { at: { kind: "first" }, conditions: found, from: value, isForwards: true };
}

/**
 * Decides how a search begins at a place: by the upstream's own token where its tokens are made of sort values; else by
 * a bound of its first field, skipping the items before the place; else from its first item on.
 *
 * @throws {CatalogError} `invalid-token` for a page of the upstream that it could not have been sent to.
 */
export function startOf(
  search: UpstreamSearch,
  place: OrderedPlace | undefined,
  direction: OrderedPlace["direction"],
  remembered: SourceStep | undefined,
): Start {
  const { conditions, known, sort, abilities } = search;
  const whole: Start = { at: { kind: "first" }, conditions, from: null, isForwards: true };
  if (place === undefined) return whole;
  const { gap } = place;
  if (remembered !== undefined) {
    const step = parseStep(remembered.step);
    if (step === undefined) throw new CatalogError("invalid-token", "The token is not one of this service.");
    const begun = remembered.from === null ? whole : startAt(search, remembered.from, direction);
    if (begun !== undefined) return { ...begun, at: { kind: "step", step } };
  }
  const fields = direction === "next" ? sort.fields : sort.reversed;
  const cursor = isIncluded(place) && gap.cursor !== undefined ? cursorBefore(gap.cursor, fields) : gap.cursor;
  if (cursor !== undefined && abilities.kind.paging.tokens !== "own" && sort.isTotal) {
    return { ...whole, at: { kind: "cursor", cursor } };
  }
  return startAt(search, gap.values[known] ?? null, direction) ?? { ...whole, isForwards: direction === "next" };
}
