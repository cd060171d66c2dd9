import type { UpstreamItem } from "../items/upstream-item.ts";
import { pathInBucket } from "../scenes/paths.ts";
import { type AssetStore, assetResponse } from "./asset-response.ts";
import { collectionDocument, landingPage, publishItem, UPSTREAM_CONFORMANCE } from "./documents.ts";
import { createItemIndex, type SearchPage, selectFields } from "./search.ts";
import { parseSearchBody, type SearchRequest, searchBodyOf } from "./search-request.ts";
import { UpstreamError } from "./upstream-error.ts";

/** The archive that an upstream serves, and its address. */
export interface StacHandlerOptions {
  /** Root of the API in links and hrefs, without a slash at the end: `http://127.0.0.1:8081/v1`. */
  readonly baseUrl: string;
  readonly items: Iterable<UpstreamItem>;
  /** Collections that exist even where no item is in them. Default: those of the items. */
  readonly collections?: readonly string[];
  readonly assets?: AssetStore;
  /** Answers larger than this become 502, as behind API Gateway. Default 6,291,556 bytes. */
  readonly maxResponseBytes?: number;
}

/** Answers requests as the upstream would. */
export type StacHandler = (request: Request) => Promise<Response>;

const API_GATEWAY_LIMIT = 6_291_556;

/**
 * A STAC API that answers as Earth Search v1 does, its quirks included: the `next` link is there as long as a page holds
 * anything, its body is the whole query, six-number boxes and limits from 10,000 get 502, `filter` is ignored. Files that
 * items name by `s3://` addresses are beside it, at `/{bucket}/{key}`.
 */
export function createStacHandler(options: StacHandlerOptions): StacHandler {
  const { baseUrl, assets, maxResponseBytes = API_GATEWAY_LIMIT } = options;
  const root = new URL(baseUrl).pathname.replace(/\/$/, "");
  const index = createItemIndex(options.items);
  const collections = options.collections ?? [...new Set(index.items.map(({ collection }) => collection))].sort();
  const byId = new Map(index.items.map((item) => [`${item.collection}/${item.id}`, item]));

  const send = (body: object, type: string, status = 200): Response => {
    const text = new TextEncoder().encode(JSON.stringify(body));
    if (text.length > maxResponseBytes) return send({ message: "Internal server error" }, "application/json", 502);
    return new Response(text, {
      status,
      headers: { "Content-Type": `${type}; charset=utf-8`, "Access-Control-Allow-Origin": "*" },
    });
  };

  const collectionOf = (id: string): object => {
    const own = index.items.filter(({ collection }) => collection === id);
    return collectionDocument(baseUrl, id, own);
  };

  const find = (request: SearchRequest, nextLink: (next: string) => object): Response => {
    const page = index.search(request);
    return send(featureCollection(baseUrl, request, page, nextLink), "application/geo+json");
  };

  const getSearch = (url: URL, path: string, fixed: Record<string, unknown> = {}): Response => {
    const request = parseSearchBody({ ...searchBodyOf(url.searchParams), ...fixed });
    return find(request, (next) => {
      const query = new URLSearchParams(url.searchParams);
      query.set("next", next);
      const href = `${baseUrl}${path}?${query}`;
      return { rel: "next", title: "Next page of Items", method: "GET", type: "application/geo+json", href };
    });
  };

  const postSearch = async (request: Request): Promise<Response> => {
    let body: unknown;
    try {
      body = await request.json();
    } catch {
      throw UpstreamError.badRequest("Invalid JSON body");
    }
    const search = parseSearchBody(body);
    return find(search, (next) => ({
      rel: "next",
      title: "Next page of Items",
      method: "POST",
      type: "application/geo+json",
      href: `${baseUrl}/search`,
      merge: false,
      body: { ...search.given, next },
    }));
  };

  /** An object of a bucket by its path, as S3-compatible services give it; any signed request may read it. */
  const objectOf = async (request: Request, { pathname }: URL): Promise<Response> => {
    const [, bucket = "", ...key] = pathname.split("/").map(decodeURIComponent);
    const isRead = request.method === "GET" || request.method === "HEAD";
    if (assets === undefined || !isRead || key.length === 0) throw NOT_FOUND;
    return assetResponse(assets, pathInBucket(bucket, key.join("/")), request);
  };

  const answer = async (request: Request, url: URL, path: string): Promise<Response> => {
    if (
      path.startsWith("/assets/") &&
      assets !== undefined &&
      (request.method === "GET" || request.method === "HEAD")
    ) {
      return assetResponse(assets, decodeURIComponent(path.slice(1)), request);
    }
    if (path === "/search" && request.method === "POST") return postSearch(request);
    if (request.method !== "GET") throw NOT_FOUND;
    if (path === "" || path === "/") return send(landingPage(baseUrl, collections), "application/json");
    if (path === "/conformance") return send({ conformsTo: UPSTREAM_CONFORMANCE }, "application/json");
    if (path === "/search") return getSearch(url, path);
    if (path === "/collections") {
      const links = ["self", "root"].map((rel) => ({
        rel,
        type: "application/json",
        href: rel === "self" ? `${baseUrl}/collections` : baseUrl,
      }));
      const n = collections.length;
      const context = { page: 1, limit: 100, matched: n, returned: n };
      return send({ collections: collections.map(collectionOf), links, context }, "application/json");
    }
    const [, collection = "", items, item] = /^\/collections\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?$/.exec(path) ?? [];
    if (!collections.includes(collection)) throw NOT_FOUND;
    if (items === undefined) return send(collectionOf(collection), "application/json");
    if (item === undefined) return getSearch(url, path, { collections: [collection] });
    const found = byId.get(`${collection}/${decodeURIComponent(item)}`);
    if (found === undefined) throw NOT_FOUND;
    return send(publishItem(baseUrl, found), "application/geo+json");
  };

  return async (request) => {
    const url = new URL(request.url);
    try {
      if (!url.pathname.startsWith(root)) return await objectOf(request, url);
      return await answer(request, url, url.pathname.slice(root.length));
    } catch (error) {
      if (error instanceof UpstreamError) {
        return send({ code: error.code, description: error.message }, "application/json", error.status);
      }
      if (error instanceof URIError)
        return send({ code: "BadRequest", description: error.message }, "application/json", 400);
      throw error;
    }
  };
}

const NOT_FOUND = new UpstreamError(404, "NotFound", "Not Found");

function featureCollection(
  baseUrl: string,
  request: SearchRequest,
  page: SearchPage,
  nextLink: (next: string) => object,
): object {
  const { limit, fields } = request;
  const published = page.items.map((item) => publishItem(baseUrl, item));
  const returned = published.length;
  return {
    type: "FeatureCollection",
    stac_version: "1.0.0",
    stac_extensions: [],
    context: { limit, matched: page.matched, returned },
    numberMatched: page.matched,
    numberReturned: returned,
    features: fields === undefined ? published : published.map((item) => selectFields(item, fields)),
    links: [
      ...(page.next === undefined ? [] : [nextLink(page.next)]),
      { rel: "root", type: "application/json", href: baseUrl },
    ],
  };
}
