import type { TokenPage } from "./catalog.ts";
import { CatalogError } from "./errors.ts";
import type { Json } from "./json.ts";
import { fromToken, type SortValue, toToken } from "./token.ts";
import { cursorAt, type UpstreamOrder } from "./upstream-order.ts";
import type { Walked } from "./upstream-pages.ts";
import type { UpstreamPlan } from "./upstream-plan.ts";

/** A position between two items: the upstream's cursor for what follows it, and the number of items before it. */
export interface ValuesPosition {
  readonly direction: "next" | "prev";
  readonly cursor: string | undefined;
  readonly before: number | undefined;
}

/** The page of a walk, with tokens made of the sort values of its items. */
export function toValuesPage(
  walked: Walked,
  plan: UpstreamPlan,
  hash: string,
  position: ValuesPosition | undefined,
): TokenPage {
  const { taken, more, matched } = walked;
  const before = position === undefined ? 0 : position.before;
  const backwards = position?.direction === "prev";
  const [near, far] = [taken[0], taken.at(-1)];
  const after = (steps: number): number | null =>
    before === undefined ? null : Math.max(0, backwards ? before - steps : before + steps);
  // onwards in the direction of the walk, and back where it came from
  const onwards = (): SortValue[] =>
    walked.cursor === undefined && far !== undefined
      ? [cursorOf(far.upstream, plan.order), after(far.passed)]
      : [walked.cursor ?? null, after(walked.passed)];
  const back = (): SortValue[] =>
    near === undefined
      ? [position?.cursor ?? null, before ?? null]
      : [cursorOf(near.upstream, plan.order), after(near.passed - 1)];
  const canGoBack = position !== undefined;
  const token = (direction: "next" | "prev"): string =>
    toToken("upstream", hash, { direction, values: (direction === "next") === backwards ? back() : onwards() });
  const items = taken.map(({ item }) => item);
  const tokenAt: TokenPage["tokenAt"] = (index, direction) => {
    const one = taken[backwards ? taken.length - 1 - index : index];
    if (one === undefined) return undefined;
    const isFar = (direction === "next") !== backwards;
    return toToken("upstream", hash, {
      direction,
      values: [cursorOf(one.upstream, plan.order), after(isFar ? one.passed : one.passed - 1)],
    });
  };
  return {
    tokenAt,
    items: backwards ? items.reverse() : items,
    ...(matched === undefined || plan.isFiltered ? {} : { numberMatched: matched }),
    ...((backwards ? canGoBack : more) ? { next: token("next") } : {}),
    ...((backwards ? more : canGoBack) ? { prev: token("prev") } : {}),
  };
}

/** @throws {CatalogError} `unavailable` for an item without a value that every item of the upstream should have. */
function cursorOf(item: Json, order: UpstreamOrder): string {
  const cursor = cursorAt(item, order);
  if (cursor !== undefined) return cursor;
  throw new CatalogError(
    "unavailable",
    `The upstream's item "${String(item.id)}" has no value for the requested sort order.`,
  );
}

/** @throws {CatalogError} `invalid-token`. */
export function toPosition(hash: string, token: string): ValuesPosition {
  const fits = (values: readonly SortValue[]): boolean =>
    values.length === 2 && typeof values[0] === "string" && (values[1] === null || Number.isSafeInteger(values[1]));
  const { direction, values } = fromToken("upstream", hash, fits, token);
  const [cursor, before] = values as [string, number | null];
  return { direction, cursor, before: before ?? undefined };
}
