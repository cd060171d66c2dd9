import {
  compareInstants,
  findInstant,
  formatDatetime,
  type Instant,
  type Interval,
  truncateInstant,
} from "@swath/query";
import { type Json, jsonOf } from "../../json.ts";
import type { SortValue } from "../../order/token.ts";
import type { Abilities } from "../abilities/upstream-conformance.ts";
import { evaluating } from "../filter/upstream-query.ts";

/** The conditions of a request: its body without order, limit and token, and its time. */
export interface Conditions {
  readonly body: Json;
  readonly datetime: Interval | undefined;
}

/** The side of a bound on which items are left: those whose value is at least, or at most, the bound. */
export type Side = "from" | "to";

const SECOND = 1_000_000_000n;

/**
 * The conditions with a bound of one property, wide enough for every item that has just the value: so a place in an order
 * is found again without a token of the upstream. `undefined` where the upstream evaluates no such bound; `"empty"` where
 * nothing is left.
 */
export function bounded(
  { body, datetime }: Conditions,
  field: string,
  value: SortValue,
  side: Side,
  { kind, hasQuery, cql2 }: Abilities,
): Conditions | "empty" | undefined {
  if (field === "datetime") {
    const interval = typeof value === "string" ? withBound(datetime, value, side) : undefined;
    return interval === undefined || interval === "empty" ? interval : { body, datetime: interval };
  }
  if (typeof value !== "number") return undefined;
  const operator = side === "from" ? "gte" : "lte";
  if (body.filter !== undefined || !hasQuery) {
    if (cql2.size === 0) return undefined;
    const bound = { op: side === "from" ? ">=" : "<=", args: [{ property: field }, value] };
    const filter = body.filter === undefined ? bound : { op: "and", args: [body.filter, bound] };
    return { body: { ...body, filter, "filter-lang": "cql2-json" }, datetime };
  }
  if (!evaluating(kind.conditions)(field, operator)) return undefined;
  const query = jsonOf(body.query);
  const known = jsonOf(query[field]);
  const given = known[operator];
  const tighter = typeof given === "number" && (side === "from" ? given > value : given < value) ? given : value;
  return { body: { ...body, query: { ...query, [field]: { ...known, [operator]: tighter } } }, datetime };
}

/** An interval cut at the whole second of a time. */
function withBound(interval: Interval = {}, time: string, side: Side): Interval | "empty" | undefined {
  const instant = findInstant(time);
  if (instant === undefined) return undefined;
  const start = truncateInstant(instant, 0);
  const { start: known, end } = interval;
  if (side === "from") {
    if (end !== undefined && compareInstants(end, start) < 0) return "empty";
    return { ...interval, start: known !== undefined && compareInstants(known, start) > 0 ? known : start };
  }
  const next: Instant = { nanoseconds: start.nanoseconds + SECOND, digits: 0 };
  if (known !== undefined && compareInstants(known, next) > 0) return "empty";
  return { ...interval, end: end !== undefined && compareInstants(end, next) < 0 ? end : next };
}

/** Returns a key that is equal for items which the same bound finds again. */
export function boundKey(field: string | undefined, value: SortValue): SortValue {
  return field === "datetime" && typeof value === "string" ? value.slice(0, 19) : value;
}

/** Whether an interval begins at a whole second, so that the upstream is sent just it. */
export function isWholeSecond({ start }: Interval): boolean {
  return start === undefined || start.nanoseconds % 1_000_000_000n === 0n;
}

/** Members of a request's body; a start with a fraction of a second is sent as the second, since items may be written less exactly. */
export function bodyOf({ body, datetime }: Conditions): Json {
  if (datetime === undefined) return body;
  const { start, end } = datetime;
  const isInstant = start !== undefined && end !== undefined && compareInstants(start, end) === 0;
  if (start === undefined || isInstant) return { ...body, datetime: formatDatetime(datetime) };
  return { ...body, datetime: formatDatetime({ ...datetime, start: truncateInstant(start, 0) }) };
}
