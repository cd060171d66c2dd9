import type { Link } from "./models.ts";

/** Media types of STAC documents. */
export const GEOJSON = "application/geo+json";
/** Media type of JSON. */
export const JSON_TYPE = "application/json";

/**
 * The links between documents of a catalogue. `href` is absolute; `type` is the media type of the
 * target, JSON by default.
 */
export function relationLink(
  rel: "self" | "root" | "parent" | "collection" | "child" | "item" | "items",
  href: string,
  options: { readonly type?: string; readonly title?: string } = {},
): Link {
  const { type = rel === "item" || rel === "items" ? GEOJSON : JSON_TYPE, title } = options;
  return { rel, href, type, ...(title === undefined ? {} : { title }) };
}

/**
 * The link to another page of a GET request: its address `url`, absolute, with `token` instead of the one it may
 * have had.
 */
export function getPageLink(rel: "next" | "prev", url: string, token: string): Link {
  const address = new URL(url);
  address.searchParams.set("token", token);
  return { rel, href: address.href, type: GEOJSON, method: "GET" };
}

/** The link to another page of a POST request: the client merges the token into its body and posts again. */
export function postPageLink(rel: "next" | "prev", href: string, token: string): Link {
  return { rel, href, type: GEOJSON, method: "POST", body: { token }, merge: true };
}
