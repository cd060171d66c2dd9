/** The most characters of a filter as text, and of all texts in a filter as JSON. */
export const MAX_FILTER_LENGTH = 500_000;
/** The most conditions, values and lists in a filter. */
export const MAX_FILTER_NODES = 5000;
/** The deepest nesting of conditions, values and parentheses. */
export const MAX_FILTER_DEPTH = 100;
/**
 * The most vertices of all geometries together in spatial functions other than S_INTERSECTS and S_DISJOINT, which need
 * much less time.
 */
export const MAX_RELATED_VERTICES = 1000;
/** The most pairs of edges of different polygons of such a geometry whose boxes overlap. */
export const MAX_OVERLAPPING_EDGES = 10_000;
