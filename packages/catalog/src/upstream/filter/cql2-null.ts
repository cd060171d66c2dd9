import type { Comparison, Filter } from "@swath/query";
import { CLOUD_COVER, LISTS, TIMES } from "../../names/queried-as.ts";
import type { Cql2Context, UpstreamCondition } from "./upstream-condition.ts";
import { anyOf, exactly } from "./upstream-condition.ts";

type IsNull = Extract<Filter, { op: "isNull" }>;

/** Writes IS NULL for properties that are passed on as they are; a cloud cover beyond its range counts as none. */
export function nullOf(filter: IsNull, context: Cql2Context): UpstreamCondition | undefined {
  const { operand } = filter;
  if (!("property" in operand)) return undefined;
  const { property } = operand;
  const isMade = context.collections.some(({ properties }) => properties.some((rule) => rule.property === property));
  if (context.upstream(property)?.kind !== "same" || TIMES.has(property) || LISTS.has(property) || isMade) {
    return undefined;
  }
  // older catalogs write it under another name
  if (property === "view:sun_elevation") return undefined;
  if (property !== "eo:cloud_cover") return exactly(filter);
  const than = (operator: Comparison, literal: number): Filter => ({
    op: "compare",
    operator,
    left: operand,
    right: { literal },
  });
  return exactly(anyOf([filter, than("lt", CLOUD_COVER.least), than("gt", CLOUD_COVER.most)]));
}

/** Writes IS NOT NULL; for a few items the service may know better. */
export function valuedOf(filter: IsNull, context: Cql2Context): UpstreamCondition | undefined {
  const { operand } = filter;
  if (!("property" in operand) || context.upstream(operand.property)?.kind !== "same") return undefined;
  if (operand.property === "view:sun_elevation") return undefined;
  const isMade = context.collections.some(({ properties }) =>
    properties.some((rule) => rule.property === operand.property),
  );
  return isMade ? undefined : { filter: { op: "not", arg: filter }, isExact: false };
}
