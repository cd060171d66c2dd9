export type { Bbox, Geometry, Position } from "@swath/geometry";
export { CQL2_CONFORMANCE } from "./cql2/conformance.ts";
export { toCql2Json } from "./cql2/json-printer.ts";
export { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH, MAX_FILTER_NODES, MAX_RELATED_VERTICES } from "./cql2/limits.ts";
export {
  type Cql2Options,
  FILTER_LANGUAGES,
  type FilterLanguage,
  parseCql2Json,
  parseCql2Text,
  parseFilter,
} from "./cql2/parse.ts";
export { formatCql2Text } from "./cql2/text/text-printer.ts";
export { QueryError, type QueryErrorOptions, type UnknownName } from "./errors.ts";
export { matchesFilter } from "./evaluate/matches.ts";
export {
  ARITHMETIC_OPERATORS,
  ARRAY_OPERATORS,
  type ArithmeticOperator,
  type ArrayOperator,
  type Comparison,
  type Filter,
  filterProperties,
  type IntervalBound,
  type Operand,
  type Pattern,
  SPATIAL_OPERATORS,
  type SpatialOperator,
  TEMPORAL_OPERATORS,
  type TemporalOperator,
} from "./filter.ts";
export type { InputLocation } from "./input-location.ts";
export { compareInstants, findDay, findInstant, formatInstant, type Instant, truncateInstant } from "./instant.ts";
export type { SearchItem } from "./item.ts";
export {
  AGGREGATION_NAMES,
  AGGREGATIONS,
  type AggregationName,
  COUNT_INTERVALS,
  COUNT_PARAMETERS,
  type CountInterval,
  type CountRequest,
  parseCounts,
} from "./parameters/aggregation.ts";
export { formatBbox, parseBbox } from "./parameters/bbox.ts";
export { BODY_SCHEMAS, type Schema } from "./parameters/body-schemas.ts";
export { formatDatetime, type Interval, itemTime, matchesInterval, parseDatetime } from "./parameters/datetime.ts";
export { applyFields, DEFAULT_FIELDS, type Fields, formatFields, parseFields } from "./parameters/fields.ts";
export { type Coordinates, formatIntersects, MAX_VERTICES, parseIntersects } from "./parameters/intersects.ts";
export { DEFAULT_LIMIT, MAX_LIMIT, parseLimit } from "./parameters/limit.ts";
export { parseList } from "./parameters/list.ts";
export {
  compareItems,
  DEFAULT_SORTBY,
  formatSortby,
  parseSortby,
  SORTABLES,
  type SortField,
  totalOrder,
} from "./parameters/sortby.ts";
export { parseQuery, QUERY_OPERATORS, type StacQuery, toStacQuery } from "./parameters/stac-query.ts";
export type {} from "./platform-types.ts";
export {
  FILTER_QUERYABLES,
  findQueryable,
  QUERYABLES,
  type Queryable,
  type QueryableKind,
  type Queryables,
} from "./queryables.ts";
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
  type SearchParameter,
} from "./search.ts";
