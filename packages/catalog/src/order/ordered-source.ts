import type { SortField } from "@swath/query";
import type { Item } from "../item/item.ts";
import { compareValues } from "./order.ts";
import type { OrderedPlace } from "./ordered-gap.ts";
import type { SortValue } from "./token.ts";

/** An item that a search matches, where it stands in the order, and how its place is found again. */
export interface Entry {
  readonly item: Item;
  readonly values: readonly SortValue[];
  readonly mark: Mark;
}

/** The mark by which a source finds the place of an item again. */
export interface Mark {
  /** The upstream's token of what follows the item. */
  readonly cursor?: string | undefined;
  /** Items of the upstream that share the bound by which the item is found again, up to it. */
  readonly ties?: number | undefined;
  /** The page of the upstream that it is in, where nothing else leads back to it. */
  readonly step?: SourceStep | undefined;
}

/** A page of the upstream, in a search that began at a bound of the field after the constants. */
export interface SourceStep {
  readonly step: string;
  readonly from: SortValue;
}

/** The result of one request to a source. */
export interface Batch {
  /** Items that match and lie behind the place, in the order of the source. */
  readonly entries: readonly Entry[];
  /** Sort values and mark of the last item that was read, whether it matches or not; absent where there was none. */
  readonly last?: { readonly values: readonly SortValue[]; readonly mark: Mark } | undefined;
  /** Items that the upstream has sent. */
  readonly passed: number;
  readonly isOver: boolean;
  /** Whether the items come in the order that the source follows, in the direction of the walk. */
  readonly isOrdered: boolean;
  /** Matches of the whole search, as the upstream counts them, where it was asked for all of them. */
  readonly matched?: number | undefined;
  /** Whether items came that the upstream should have left out: its counts say nothing then. */
  readonly hasRefused: boolean;
  /** Items that the upstream failed to give. */
  readonly unreadable?: number | undefined;
}

/** Reads one source from a place on. */
export interface SourceReader {
  /** @param wanted items that the page still needs, at least 1. */
  read(wanted: number): Promise<Batch>;
}

/**
 * A part of a search that the upstream gives in its own order. The parts of a search hold all of its matches, an item may
 * be in several of them.
 */
export interface OrderedSource {
  /** Values of the first fields of the order, which all items of the source have. */
  readonly constants: readonly SortValue[];
  /** Whether the value of the field after the constants is there in every item. */
  readonly hasValue: boolean;
  /** The number of fields of the order, the constants among them, that the pages of the source follow. */
  readonly follows: number;
  /** Whether these fields tell any two of its items apart. */
  readonly isTotal: boolean;
  /** The first value that the field after the constants can have, in each direction, where it is known. */
  readonly leads?: { readonly next: SortValue; readonly prev: SortValue } | undefined;
  /** @param place `undefined`: at its first item in the direction. @param step where an earlier page has left off. */
  open(
    place: OrderedPlace | undefined,
    direction: OrderedPlace["direction"],
    step: SourceStep | undefined,
  ): SourceReader;
}

/**
 * The position of a place in relation to a source: before all of its items in the direction, behind them, or among
 * them.
 */
export type Relation = "before" | "behind" | "among";

/** Comparison of sort values in the direction of a walk. */
export function comparing(order: readonly SortField[], direction: OrderedPlace["direction"]) {
  const sign = direction === "next" ? 1 : -1;
  return (a: readonly SortValue[], b: readonly SortValue[]): number => {
    const width = Math.min(a.length, b.length);
    return sign * compareValues(a.slice(0, width), b.slice(0, width), order.slice(0, width));
  };
}

/** Returns the position of a place in relation to a source. */
export function relationOf(
  { constants, hasValue }: OrderedSource,
  { gap, direction }: OrderedPlace,
  order: readonly SortField[],
): Relation {
  if (gap.side === "start") return direction === "next" ? "before" : "behind";
  const difference = comparing(order, direction)(constants, gap.values);
  if (difference !== 0) return difference > 0 ? "before" : "behind";
  // items without a value stand behind all others
  if (hasValue && gap.values[constants.length] === null) return direction === "next" ? "behind" : "before";
  return "among";
}
