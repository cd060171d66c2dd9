import type { PageHeaders, PageRequest } from "@swath/stac";
import { CatalogError } from "../../errors.ts";
import { isJson, type Json } from "../../json.ts";
import { MAX_PAGE } from "../../order/page-end.ts";
import { stableJson } from "../../order/token.ts";

/**
 * One page of a search at the upstream, as the difference from the search's own request. It names no host, and what the
 * search asks for (collections, box, time, ...) is never part of it: a token that carries it cannot change either.
 */
export type Step =
  | {
      readonly method: "POST";
      /** Members that the upstream's link adds to the body: its token, its limit. */
      readonly set: Json;
      /** Members of the search that the link's body does not repeat, since its token stands for them. */
      readonly without: readonly string[];
      readonly query: string;
      readonly headers: PageHeaders;
    }
  /** `address` follows the address of the upstream's search: a path below it, a query, or both. */
  | { readonly method: "GET"; readonly address: string; readonly headers: PageHeaders };

/** Members of a search that servers forget in their links. */
const FILTER_MEMBERS: ReadonlySet<string> = new Set(["filter", "filter-lang"]);

/** The first page. */
export function firstStep(limit: number): Step {
  return { method: "POST", set: { limit }, without: [], query: "", headers: {} };
}

export function isFirst(step: Step): boolean {
  if (step.method === "GET" || step.without.length > 0 || step.query !== "") return false;
  return Object.keys(step.headers).length === 0 && Object.keys(step.set).join() === "limit";
}

/**
 * The step of an upstream's link.
 *
 * @param body of the search, without a limit.
 * @throws {CatalogError} `unavailable` for a link that leads away from the search, or that differs from the search's own
 *   request in what the search asks for alone.
 */
export function toStep(request: PageRequest, body: Json, searchUrl: string): Step {
  const { headers = {} } = request;
  if (request.method === "GET") {
    const [own, url] = [new URL(searchUrl), new URL(request.url)];
    const address = url.pathname.slice(own.pathname.length) + url.search;
    if (url.pathname.startsWith(own.pathname) && isAddress(address)) return { method: "GET", address, headers };
    throw new CatalogError("unavailable", "The upstream's link to another page leads away from its search.");
  }
  const missing = Object.keys(body).filter((name) => !Object.hasOwn(request.body, name));
  // a token may stand for the whole search; a link that repeats the rest of it has lost the filter
  const isLost = missing.length > 0 && missing.every((name) => FILTER_MEMBERS.has(name));
  const step: Step = {
    method: "POST",
    set: Object.fromEntries(Object.entries(request.body).filter(([name]) => !Object.hasOwn(body, name))),
    without: isLost ? [] : missing,
    query: request.query ?? "",
    headers,
  };
  const { limit: _, ...token } = step.set;
  if (Object.keys(token).length === 0 && step.query === "" && Object.keys(headers).length === 0) {
    throw new CatalogError("unavailable", "The upstream's link to another page leads back to the first one.");
  }
  return step;
}

/**
 * The request of a GET link as one with a body, for an upstream that takes the cursor of its links there too: an address
 * that repeats a whole search loses parts of it.
 *
 * @param parameter of the cursor; `undefined` where links are followed as they are.
 */
export function posted(request: PageRequest, parameter: string | undefined, body: Json): PageRequest {
  if (parameter === undefined || request.method !== "GET") return request;
  const { searchParams } = new URL(request.url);
  const cursor = searchParams.get(parameter);
  const limit = Number(searchParams.get("limit") ?? MAX_PAGE);
  return cursor === null ? request : { method: "POST", body: { ...body, limit, [parameter]: cursor } };
}

/** The request of a step of a search with this body. */
export function toPageRequest(step: Step, body: Json, searchUrl: string): PageRequest {
  const { headers } = step;
  if (step.method === "GET") return { method: "GET", url: searchUrl + step.address, headers };
  const kept = Object.entries(body).filter(([name]) => !step.without.includes(name));
  return {
    method: "POST",
    // the search's own members win over what a token says
    body: { ...step.set, ...Object.fromEntries(kept) },
    ...(step.query === "" ? {} : { query: step.query }),
    headers,
  };
}

/** A step as text for a token; `parseStep` reads it. Equal steps have equal text. */
export function stepText(step: Step): string {
  const parts =
    step.method === "GET" ? [step.address, step.headers] : [step.set, step.without, step.query, step.headers];
  return stableJson(parts);
}

/** @returns `undefined` for text that is no step, or asks for more than `MAX_PAGE` items. */
export function parseStep(text: string): Step | undefined {
  const parts = jsonArrayOf(text);
  const [first, second, third, fourth] = parts;
  if (parts.length === 2) {
    if (typeof first !== "string" || !isAddress(first) || !isHeaders(second)) return undefined;
    const limit = new URLSearchParams(splitQuery(first)[1] ?? "").get("limit");
    return limit === null || isLimit(Number(limit)) ? { method: "GET", address: first, headers: second } : undefined;
  }
  const isWhole =
    parts.length === 4 &&
    isJson(first) &&
    (first.limit === undefined || isLimit(Number(first.limit))) &&
    Array.isArray(second) &&
    second.every((name) => typeof name === "string") &&
    typeof third === "string" &&
    (third === "" || isQuery(third)) &&
    isHeaders(fourth);
  return isWhole ? { method: "POST", set: first, without: second, query: third, headers: fourth } : undefined;
}

function jsonArrayOf(text: string): readonly unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}

/** Segments below the search without escapes and steps upwards, then a query. */
function isAddress(text: string): boolean {
  const [path, query] = splitQuery(text);
  return /^(\/(?!\.{1,2}(\/|$))[\w.~:@!$'()*,;=+-]+)*\/?$/.test(path) && (query === undefined || isQuery(query));
}

function splitQuery(text: string): [string, string?] {
  const at = text.indexOf("?");
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at)];
}

function isQuery(text: string): boolean {
  return /^\?[\x21\x22\x24-\x7e]*$/.test(text);
}

function isLimit(limit: number): boolean {
  return Number.isInteger(limit) && limit > 0 && limit <= MAX_PAGE;
}

function isHeaders(value: unknown): value is PageHeaders {
  return isJson(value) && Object.values(value).every((text) => typeof text === "string");
}
