/** Name of the owner's folder among upstreams. */
export const ARCHIVE = "archive";
