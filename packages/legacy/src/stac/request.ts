import { readBounded } from "@swath/web";
import { LegacyError, stacForm } from "../errors.ts";

/** Largest body of a search. */
const MAX_SEARCH_BYTES = 1_048_576;

/** `filter`, `filter-lang`, `filter-crs`: CQL2, which this host has always ignored without an error. */
const isFilter = (name: string): boolean => name === "filter" || name.startsWith("filter-");

/** The query string without CQL2 parameters, everything else as it was written. */
export function forwardedSearch(search: string): string {
  const kept = search
    .replace(/^\?/, "")
    .split("&")
    .filter((pair) => pair !== "" && !isFilter(decoded(pair.split("=")[0] ?? "")));
  return kept.length === 0 ? "" : `?${kept.join("&")}`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name.replaceAll("+", " "));
  } catch {
    return name;
  }
}

/** The body without CQL2 members; other content is sent unchanged, for the upstream to refuse. */
function withoutFilter(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> | string {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return bytes;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return bytes;
  const entries = Object.entries(value);
  const kept = entries.filter(([name]) => !isFilter(name));
  return kept.length === entries.length ? bytes : JSON.stringify(Object.fromEntries(kept));
}

/**
 * Makes the request that is sent upstream: method, body and the headers that choose the answer. Nothing that identifies
 * the caller is sent, the key least of all.
 *
 * @throws {LegacyError} 405 for a method that the host does not take there; {ProblemError} `body-too-large`.
 */
export async function forwardedRequest(request: Request, path: string): Promise<RequestInit> {
  const headers = { Accept: request.headers.get("Accept") ?? "application/geo+json, application/json" };
  if (request.method === "GET" || request.method === "HEAD") return { method: "GET", headers };
  if (request.method === "POST" && path === "/search") {
    const body = withoutFilter(await readBounded(request, MAX_SEARCH_BYTES));
    const type = request.headers.get("Content-Type") ?? "application/json";
    return { method: "POST", headers: { ...headers, "Content-Type": type }, body };
  }
  const allow = path === "/search" ? "GET, HEAD, POST, OPTIONS" : "GET, HEAD, OPTIONS";
  throw new LegacyError(405, stacForm(405, `${path} takes ${allow}.`), { headers: { Allow: allow } });
}
