import type { RouteAccess } from "@swath/accounts/hono";

/** Item search, which a profile may open to anonymous callers. */
export const SEARCH: RouteAccess = { credentials: ["anonymous", "key", "bearer"], scopes: ["data", "search"] };

/** Tiles and previews, which a profile may open to guests and, where the image is cached, to anonymous callers. */
export const IMAGES: RouteAccess = {
  credentials: ["anonymous", "key", "bearer", "guest"],
  scopes: ["data", "tiles", "cached-images"],
};

/** The legacy hosts, which know keys of the service's owner alone. */
export const LEGACY: RouteAccess = { credentials: ["key"], scopes: ["legacy"] };
