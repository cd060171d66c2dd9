import type { ImageCache } from "@swath/engine/node";
import { preflightHeaders } from "@swath/web";
import type { MiddlewareHandler } from "hono";
import { ACCEPTED_HEADERS } from "../http/answer/cors.ts";
import type { AppContext, AppEnv } from "../http/request/context.ts";
import type { Services } from "../operations/services.ts";
import { serveDownloads } from "./downloads/serve.ts";
import { LegacyError, legacyErrorResponse, stacForm, tilesForm } from "./errors.ts";
import { type LegacyTarget, legacyTarget } from "./hosts.ts";
import { createLegacyItems, type LegacyItems } from "./items.ts";
import { archiveFile, passThrough } from "./stac/pass-through.ts";
import { serveTiles } from "./tiles/serve.ts";
import { archiveUpstream, httpUpstream, type LegacyUpstream } from "./upstream.ts";

interface LegacyParts {
  readonly services: Services;
  readonly images: ImageCache;
  /** Puts the caller's identity on the context and counts the request. */
  readonly authenticate: (c: AppContext) => Promise<void>;
}

const HEALTH_TIMEOUT_MS = 3000;

function upstreamOf({ archiveDirectory, legacy }: Services): LegacyUpstream | undefined {
  if (legacy?.upstreamUrl !== undefined) return httpUpstream(legacy.upstreamUrl);
  return archiveDirectory === undefined ? undefined : archiveUpstream(archiveDirectory);
}

/**
 * The two legacy hosts before all routes: requests to their host names or mounts are answered here, in
 * their own formats; all others continue to the routes.
 */
export function legacyHosts(parts: LegacyParts): MiddlewareHandler<AppEnv> {
  const { services } = parts;
  const upstream = upstreamOf(services);
  const items = upstream === undefined ? undefined : createLegacyItems(upstream);
  return async (c, next) => {
    const target = legacyTarget(c, services.legacy?.hosts ?? {});
    // links to finished files lead to the host of the request
    if (target === undefined || target.path.startsWith("/v1/results/")) return next();
    if (c.req.method === "OPTIONS") {
      return new Response(null, {
        status: 204,
        headers: preflightHeaders(["GET", "HEAD", "POST", "OPTIONS"], ACCEPTED_HEADERS),
      });
    }
    const form = target.host === "stac" ? stacForm : tilesForm;
    try {
      if (upstream === undefined || items === undefined) {
        throw new LegacyError(502, form(502, "There is no upstream catalog."));
      }
      if (target.host === "stac") return await serveStac(c, upstream, target, parts);
      const answer = await serveTilesHost(c, items, target, parts);
      return c.req.method === "HEAD" ? new Response(null, answer) : answer;
    } catch (error) {
      return legacyErrorResponse(error, c, form);
    }
  };
}

async function serveStac(
  c: AppContext,
  upstream: LegacyUpstream,
  target: LegacyTarget,
  { authenticate, services }: LegacyParts,
): Promise<Response> {
  const { directory } = upstream;
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (directory !== undefined && isRead && target.path.startsWith("/assets/")) {
    return archiveFile(c, directory, target.path);
  }
  services.maintenance?.check();
  await authenticate(c);
  return passThrough(c, upstream, target, services.legacy?.limits);
}

async function serveTilesHost(
  c: AppContext,
  items: LegacyItems,
  target: LegacyTarget,
  parts: LegacyParts,
): Promise<Response> {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && target.path === "/healthz") return health(c, items, parts.services);
  parts.services.maintenance?.check();
  if (target.path !== "/") parts.services.spending?.check();
  await parts.authenticate(c);
  const download = await serveDownloads(c, parts.services, target);
  if (download !== undefined) return download;
  if (!isRead) {
    throw new LegacyError(405, tilesForm(405, "Method Not Allowed"), { headers: { Allow: "GET, HEAD, OPTIONS" } });
  }
  if (target.path === "/") return c.json(landing(target.root));
  const answer = await serveTiles(c, items, { images: parts.images, registry: parts.services.registry }, target);
  if (answer === undefined) throw new LegacyError(404, tilesForm(404, "Not Found"));
  return answer;
}

async function health(c: AppContext, items: LegacyItems, { version }: Services): Promise<Response> {
  const signal = AbortSignal.any([c.get("signal"), AbortSignal.timeout(HEALTH_TIMEOUT_MS)]);
  const isOnline = await items.ping(signal).then(
    () => true,
    () => false,
  );
  return c.json({ "stac-api_online": isOnline, versions: { swath: version, node: process.versions.node } }, 200, {
    "Cache-Control": "no-store",
  });
}

function landing(root: string): Record<string, unknown> {
  const item = "/collections/{collection}/items/{item}/tiles/WebMercatorQuad/{z}/{x}/{y}.png";
  return {
    title: "Tiles and downloads of single scenes and mosaics",
    links: [
      { rel: "self", type: "application/json", href: root },
      { rel: "tiles", type: "image/png", href: `${root}${item}`, templated: true },
      { rel: "health", type: "application/json", href: `${root}/healthz` },
    ],
  };
}
