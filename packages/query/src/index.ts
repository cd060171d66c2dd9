export type { Geometry } from "@swath/geometry";
export { CQL2_CONFORMANCE } from "./cql2/conformance.ts";
export { toCql2Json } from "./cql2/json-printer.ts";
export { type Cql2Options, FILTER_LANGUAGES, parseCql2Json, parseCql2Text } from "./cql2/parse.ts";
export { formatCql2Text } from "./cql2/text/text-printer.ts";
export { QueryError } from "./errors.ts";
export { matchesFilter } from "./evaluate/matches.ts";
export {
  allOf,
  type Comparison,
  type Filter,
  filterProperties,
  type Operand,
  type Pattern,
  type TemporalOperator,
} from "./filter.ts";
export type { InputLocation } from "./input-location.ts";
export { compareInstants, findDay, findInstant, formatInstant, type Instant, truncateInstant } from "./instant.ts";
export type { SearchItem } from "./item.ts";
export { formatBbox, parseBbox } from "./parameters/bbox.ts";
export { BODY_SCHEMAS } from "./parameters/body-schemas.ts";
export { formatDatetime, type Interval, itemTime, matchesInterval, parseDatetime } from "./parameters/datetime.ts";
export { applyFields, type Fields, parseFields } from "./parameters/fields.ts";
export { type Coordinates, MAX_VERTICES, parseIntersects } from "./parameters/intersects.ts";
export { parseLimit } from "./parameters/limit.ts";
export { parseList } from "./parameters/list.ts";
export { compareItems, DEFAULT_SORTBY, parseSortby, SORTABLES, type SortField } from "./parameters/sortby.ts";
export { parseQuery } from "./parameters/stac-query.ts";
export type {} from "./platform-types.ts";
export { FILTER_QUERYABLES, QUERYABLES, type Queryables } from "./queryables.ts";
export {
  FILTER_CRS,
  FILTER_PARAMETERS,
  type ItemQuery,
  MAX_TOKEN_LENGTH,
  matchesItemQuery,
  parseFilterMembers,
  parseSearch,
  SEARCH_PARAMETERS,
  type Search,
  type SearchNames,
} from "./search.ts";
