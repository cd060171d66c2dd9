import { randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Document } from "../fixtures.ts";
import { conformsToOf, type FakeOptions, refusalOf, type SearchBody, sortedRows } from "./fake-upstream.ts";

/** The form of the links to other pages. */
export type LinkForm = "merge" | "whole body" | "token alone" | "GET" | "GET below" | "headers" | "POST query";

export interface OpaqueOptions extends Pick<FakeOptions, "cql2" | "hasQuery" | "losesFilter"> {
  readonly form?: LinkForm;
  /** False: pages have no link to the one before. */
  readonly hasPrev?: boolean;
  readonly counts?: boolean;
  readonly cap?: number;
  readonly tokenLength?: number;
}

export interface OpaqueUpstream {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** Requests as `METHOD address`. */
  readonly requests: string[];
  /** Items put in later are found by new searches only: a token stands for a page after an item. */
  readonly items: Document[];
  listen(): Promise<{ readonly url: string; close(): Promise<void> }>;
}

/** The page that a token stands for: after or before an item, of one size. */
interface Page {
  readonly body: SearchBody;
  readonly limit: number;
  readonly direction: "next" | "prev";
  readonly id: unknown;
}

/**
 * A search whose tokens are random text that only it can read. A token that comes with another limit than its page was
 * made with is refused: servers that number their pages would answer other items.
 */
export function opaqueUpstream(items: Document[], options: OpaqueOptions = {}): OpaqueUpstream {
  const { form = "merge", hasPrev = true, tokenLength = 32 } = options;
  const requests: string[] = [];
  const pages = new Map<string, Page>();
  const sorted = new Map<string, { count: number; rows: Document[]; at: Map<unknown, number> }>();
  let root = "https://opaque.example/v1";

  const rowsOf = (body: SearchBody) => {
    const key = JSON.stringify(body);
    const known = sorted.get(key);
    if (known?.count === items.length) return known;
    const rows = sortedRows(items, body).rows.map(({ item }) => item);
    const entry = { count: items.length, rows, at: new Map(rows.map(({ id }, i) => [id, i])) };
    sorted.set(key, entry);
    return entry;
  };

  function linkTo(rel: string, page: Page): Document {
    const token = randomBytes(tokenLength).toString("base64url").slice(0, tokenLength);
    pages.set(token, page);
    const href = `${root}/search`;
    const { limit, body } = page;
    const { filter: _, ...unfiltered } = body;
    const repeated = options.losesFilter === true ? unfiltered : body;
    switch (form) {
      case "merge":
        return { rel, href, method: "POST", merge: true, body: { token } };
      case "whole body":
        return { rel, href, method: "POST", body: { ...repeated, limit, token } };
      case "token alone":
        return { rel, href, method: "POST", body: { token } };
      case "headers":
        return {
          rel,
          href,
          method: "POST",
          merge: true,
          body: {},
          headers: { "X-Page": token, Host: "other.example" },
        };
      case "POST query":
        return { rel, href: `${href}?token=${token}`, method: "POST", merge: true };
      case "GET":
        return { rel, href: `${href}?token=${token}&limit=${limit}` };
      case "GET below":
        return { rel, href: `${href}/pages/${token}`, method: "GET" };
    }
  }

  function answer(method: string, url: URL, body: SearchBody & { token?: string }, header: string | null): Document {
    const below = /\/search\/pages\/([\w-]+)$/.exec(url.pathname)?.[1];
    const token = body.token ?? url.searchParams.get("token") ?? header ?? below;
    const page = token === undefined || token === null ? undefined : pages.get(token);
    if (token != null && page === undefined) throw new Error("Unknown token.");
    const { token: _, limit: bodyLimit, ...conditions } = body;
    const asked = Number(url.searchParams.get("limit") ?? bodyLimit ?? page?.limit ?? 10);
    const limit = Math.min(asked, options.cap ?? 1000);
    if (page !== undefined && asked !== page.limit && limit !== page.limit) throw new Error("Another limit.");
    if (page !== undefined && method === "POST" && form !== "token alone") {
      const [mine, theirs] = [page.body, conditions].map((one) => JSON.stringify(Object.entries(one).sort()));
      if (mine !== theirs) throw new Error("Another search.");
    }
    const search = page?.body ?? conditions;
    const refusal = refusalOf(search, options);
    if (refusal !== undefined) throw new Error(refusal);
    const { rows, at } = rowsOf(search);
    const anchor = page === undefined ? -1 : (at.get(page.id) ?? -1);
    const start = page?.direction === "prev" ? Math.max(0, anchor - limit) : anchor + 1;
    const end = page?.direction === "prev" ? anchor : start + limit;
    const found = rows.slice(start, end);
    const links: Document[] = [{ rel: "root", href: root }];
    if (end < rows.length) links.push(linkTo("next", { body: search, limit, direction: "next", id: found.at(-1)?.id }));
    if (hasPrev && start > 0) {
      links.push(linkTo("previous", { body: search, limit, direction: "prev", id: found[0]?.id }));
    }
    return {
      type: "FeatureCollection",
      features: found,
      links,
      ...(options.counts === false ? {} : { numberMatched: rows.length }),
    };
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const url = new URL(request.url);
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    if (!url.pathname.startsWith("/v1/search")) return respondElsewhere(url.pathname, items, options);
    const body = request.method === "POST" ? ((await request.json()) as SearchBody) : {};
    try {
      return Response.json(answer(request.method, url, body, request.headers.get("X-Page")));
    } catch (error) {
      return Response.json({ code: "BadRequest", description: String(error) }, { status: 400 });
    }
  };

  return {
    url: root,
    fetch,
    requests,
    items,
    listen: async () => {
      const server: Server = createServer(async (request, response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of request) chunks.push(chunk as Buffer);
        const body = Buffer.concat(chunks);
        const headers = Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]);
        const answered = await fetch(new URL(request.url ?? "/", root), {
          method: request.method ?? "GET",
          headers: headers.filter(([name]) => name === "x-page" || name === "content-type"),
          ...(body.length === 0 ? {} : { body }),
        });
        response.writeHead(answered.status, { "Content-Type": "application/geo+json" });
        response.end(await answered.text());
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      root = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
      return {
        url: root,
        close: () =>
          new Promise((resolve) => {
            server.close(() => resolve());
            server.closeAllConnections();
          }),
      };
    },
  };
}

function respondElsewhere(path: string, items: readonly Document[], options: OpaqueOptions): Response {
  if (path === "/v1") {
    const conformsTo = conformsToOf(options);
    const landing = { type: "Catalog", id: "o", description: "O.", stac_version: "1.0.0", links: [] };
    return Response.json(conformsTo === undefined ? landing : { ...landing, conformsTo });
  }
  const id = decodeURIComponent(path.split("/").at(-1) ?? "");
  const collection = path.split("/")[3];
  const item = items.find((one) => one.id === id && one.collection === collection);
  return item === undefined ? Response.json({ code: "NotFound" }, { status: 404 }) : Response.json(item);
}
