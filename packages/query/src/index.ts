export { type Bbox, formatBbox, parseBbox, splitBbox } from "./bbox.ts";
export { formatDatetime, type Interval, matchesInterval, parseDatetime } from "./datetime.ts";
export { QueryError, type QueryErrorOptions, type UnknownName } from "./errors.ts";
export { applyFields, DEFAULT_FIELDS, type Fields, formatFields, parseFields } from "./fields.ts";
export type { Comparison, Filter, Operand } from "./filter.ts";
export { bboxGeometry, extentOf, type Geometry, type Position } from "./geometry.ts";
export { compareInstants, findDay, findInstant, formatInstant, type Instant, truncateInstant } from "./instant.ts";
export { formatIntersects, MAX_VERTICES, parseIntersects } from "./intersects.ts";
export type { SearchItem } from "./item.ts";
export { DEFAULT_LIMIT, MAX_LIMIT, parseLimit } from "./limit.ts";
export { parseList } from "./list.ts";
export { matchesFilter } from "./matches.ts";
export type { Place } from "./place.ts";
export { findQueryable, QUERYABLES, type Queryable, type QueryableKind } from "./queryables.ts";
export { geometriesIntersect } from "./relate.ts";
export {
  type ItemQuery,
  matchesItemQuery,
  parseSearch,
  SEARCH_PARAMETERS,
  type Search,
  type SearchParameter,
} from "./search.ts";
export { findSelfIntersection, type SelfIntersection } from "./simple-polygon.ts";
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
