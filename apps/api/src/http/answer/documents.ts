export const CACHE_DOCUMENT = "public, max-age=600";
/** Documents that lack what the upstream would have said. */
export const CACHE_FALLBACK = "public, max-age=30";
export const CACHE_ITEM = "public, max-age=300";
export const CACHE_SEARCH = "private, max-age=60";
export const NO_STORE = "no-store";
