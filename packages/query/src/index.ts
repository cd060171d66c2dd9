export type { Bbox, Geometry, Position } from "@swath/geometry";
export { formatBbox, parseBbox } from "./bbox.ts";
export { formatDatetime, type Interval, matchesInterval, parseDatetime } from "./datetime.ts";
export { QueryError, type QueryErrorOptions, type UnknownName } from "./errors.ts";
export { applyFields, DEFAULT_FIELDS, type Fields, formatFields, parseFields } from "./fields.ts";
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
export { type Coordinates, formatIntersects, MAX_VERTICES, parseIntersects } from "./intersects.ts";
export type { SearchItem } from "./item.ts";
export { DEFAULT_LIMIT, MAX_LIMIT, parseLimit } from "./limit.ts";
export { parseList } from "./list.ts";
export { matchesFilter } from "./matches.ts";
export type {} from "./platform-types.ts";
export { findQueryable, QUERYABLES, type Queryable, type QueryableKind, type Queryables } from "./queryables.ts";
export {
  type ItemQuery,
  matchesItemQuery,
  parseSearch,
  SEARCH_PARAMETERS,
  type Search,
  type SearchNames,
  type SearchParameter,
} from "./search.ts";
export {
  compareItems,
  DEFAULT_SORTBY,
  formatSortby,
  parseSortby,
  SORTABLES,
  type SortField,
  totalOrder,
} from "./sortby.ts";
export { parseQuery, QUERY_OPERATORS, type StacQuery, toStacQuery } from "./stac-query.ts";
