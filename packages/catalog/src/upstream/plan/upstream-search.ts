import type { SortField } from "@swath/query";
import type { Item } from "../../item/item.ts";
import type { Json } from "../../json.ts";
import type { SortValue } from "../../order/token.ts";
import type { UpstreamClient } from "../abilities/upstream-client.ts";
import type { Abilities } from "../abilities/upstream-conformance.ts";
import type { Conditions } from "./upstream-bound.ts";
import type { UpstreamOrder } from "./upstream-order.ts";

/** Facts that an upstream's answers have shown, shared by all searches of it. */
export interface UpstreamMemory {
  /** Whether its paging tokens are made of sort values. */
  isMadeOfValues: boolean | undefined;
  /** Fields that it sorts otherwise than it is said to. */
  readonly untrusted: Set<string>;
  /** Whether it has counted by another interval than months when it was asked to. */
  countsByInterval: boolean;
  /** Whether a search for a collection that it lacks has failed. */
  refusesUnknown: boolean;
  /** Milliseconds until which a page that fails is not looked into: all others failed too. */
  faultyUntil: number;
  /** Values from which on searches go on beyond items that the upstream fails on. */
  readonly skips: Map<string, SortValue>;
}

/** An item of the upstream as the service has it. */
export interface Read {
  readonly item: Item;
  readonly values: readonly SortValue[];
  /** Whether it belongs to the source and the search matches it. */
  readonly isMatch: boolean;
  /** Whether the upstream should not have sent it. */
  readonly isRefused: boolean;
}

/** One search at an upstream, whose pages are read in one order. */
export interface UpstreamSearch {
  readonly client: UpstreamClient;
  readonly abilities: Abilities;
  readonly memory: UpstreamMemory;
  readonly conditions: Conditions;
  readonly order: readonly SortField[];
  /**
   * The number of leading fields of the order in which all items have the same value; they have a value in the next
   * one.
   */
  readonly known: number;
  readonly sort: UpstreamOrder;
  /** The service's form of an item; `undefined` for what is none of its collections. */
  readonly read: (document: Json) => Read | undefined;
  /** Whether items are dropped here, so that it takes more of them to fill a page. */
  readonly isFiltered: boolean;
  /** Whether its count is that of the whole search. */
  readonly isWhole: boolean;
  readonly signal: AbortSignal | undefined;
  /** Milliseconds of the search's time that were over before its first request. */
  readonly spentMs: number;
  readonly now: () => number;
  /** Whether a page that fails is looked into for the item that it fails on. */
  readonly looksIntoFaults: boolean;
}
