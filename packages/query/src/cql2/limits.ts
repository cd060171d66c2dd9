/** The most characters of a filter as text, and of all texts in a filter as JSON. */
export const MAX_FILTER_LENGTH = 500_000;
/** The most conditions, values and lists in a filter. */
export const MAX_FILTER_NODES = 5000;
/** How deep conditions, values and parentheses may be nested. */
export const MAX_FILTER_DEPTH = 100;
