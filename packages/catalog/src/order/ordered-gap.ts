import type { Gap, Place } from "../catalog.ts";
import { CatalogError } from "../errors.ts";
import { isSortValue, type SortValue, type TokenValue } from "./token.ts";

/** A gap in a total order of items: before all of them, or beside one. */
export interface OrderedGap {
  readonly side: "start" | "after" | "before";
  /** Sort values of the item beside it; none at the start. */
  readonly values: readonly SortValue[];
  /** The upstream's token of what follows that item, where its tokens are made of sort values. */
  readonly cursor?: string | undefined;
  /** Items of the upstream that share the bound by which the item is found again, up to it. */
  readonly ties?: number | undefined;
  /** Items of the search before the gap, where they were counted. */
  readonly before?: number | undefined;
  /** All items of the search, where they were counted exactly; `null` where they can't be. */
  readonly total?: number | null | undefined;
  /** Pages of the upstream in which the walk goes on, by the source that they belong to. */
  readonly steps?: readonly (readonly [source: number, step: string, from: SortValue])[] | undefined;
}

/** The gap beside an item of any catalog in the same order: only its place is known. */
export function gapBeside(side: "after" | "before", values: readonly SortValue[]): Gap {
  return toGap({ side, values });
}

export const START: OrderedGap = { side: "start", values: [], before: 0 };

const SIDES = { s: "start", a: "after", b: "before" } as const;
/** Values of a gap: side, sort values, cursor, ties, count before, total, steps. */
const WIDTH = 7;
/** Total of a search that can't be counted. */
const UNCOUNTED = -1;

/** The gap as data of a token; `findOrderedGap` reads it. */
export function toGap(gap: OrderedGap): Gap {
  const { side, values, cursor, ties, before, total, steps = [] } = gap;
  return [
    side[0] as "s" | "a" | "b",
    [...values],
    cursor ?? null,
    ties ?? null,
    before ?? null,
    total === null ? UNCOUNTED : (total ?? null),
    steps.map((step) => [...step]),
  ];
}

/** @param width values of the order. @returns `undefined` for what is no gap in such an order. */
export function findOrderedGap(data: Gap, width: number): OrderedGap | undefined {
  const [side, values, cursor, ties, before, total, steps] = data;
  const known = typeof side === "string" && Object.hasOwn(SIDES, side) ? SIDES[side as keyof typeof SIDES] : undefined;
  if (data.length !== WIDTH || known === undefined || !Array.isArray(values) || !values.every(isSortValue)) {
    return undefined;
  }
  if (values.length !== (known === "start" ? 0 : width)) return undefined;
  if (cursor !== null && typeof cursor !== "string") return undefined;
  if (!isCount(ties, 0) || !isCount(before, 0) || !isCount(total, UNCOUNTED) || !areSteps(steps)) return undefined;
  return {
    side: known,
    values: values as readonly SortValue[],
    cursor: cursor ?? undefined,
    ties: ties ?? undefined,
    before: before ?? undefined,
    total: total === UNCOUNTED ? null : (total ?? undefined),
    steps,
  };
}

function isCount(value: TokenValue | undefined, least: number): value is number | null {
  return value === null || (typeof value === "number" && Number.isSafeInteger(value) && value >= least);
}

function areSteps(value: TokenValue | undefined): value is readonly (readonly [number, string, SortValue])[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => {
      if (!Array.isArray(entry) || entry.length !== 3) return false;
      const [source, step, from] = entry as readonly TokenValue[];
      return (
        typeof source === "number" && Number.isSafeInteger(source) && typeof step === "string" && isSortValue(from)
      );
    })
  );
}

/** A place in a total order. */
export interface OrderedPlace {
  readonly gap: OrderedGap;
  readonly direction: Place["direction"];
}

/** @throws {CatalogError} `invalid-token` for a place in another order. */
export function orderedPlace({ gap, direction }: Place, width: number): OrderedPlace {
  const found = findOrderedGap(gap, width);
  if (found !== undefined) return { gap: found, direction };
  throw new CatalogError("invalid-token", "The token is not one of this service.");
}
