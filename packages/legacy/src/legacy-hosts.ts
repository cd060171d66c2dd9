import type { WebContext, WebEnv } from "@swath/web";
import { preflightHeaders } from "@swath/web/origins";
import type { MiddlewareHandler } from "hono";
import { serveDownloads } from "./downloads/serve.ts";
import { LegacyError, legacyErrorResponse, stacForm, tilesForm } from "./errors.ts";
import { type LegacyTarget, legacyTarget } from "./hosts.ts";
import { createLegacyItems, type LegacyItems } from "./items.ts";
import type { LegacyService, LegacySettings } from "./service.ts";
import { archiveFile, passThrough } from "./stac/pass-through.ts";
import { serveTiles } from "./tiles/serve.ts";
import { archiveUpstream, httpUpstream, type LegacyUpstream } from "./upstream.ts";

const HEALTH_TIMEOUT_MS = 3000;

function upstreamOf({ upstreamUrl, directory }: LegacySettings): LegacyUpstream | undefined {
  if (upstreamUrl !== undefined) return httpUpstream(upstreamUrl);
  return directory === undefined ? undefined : archiveUpstream(directory);
}

/**
 * The two legacy hosts before all routes: requests to their host names or mounts are answered here, in
 * their own formats; all others continue to the routes. The app has the variables that `requestScope` of `@swath/web` sets.
 */
export function legacyHosts<E extends WebEnv = WebEnv>(
  mounting: LegacyService<E>,
  settings: LegacySettings,
): MiddlewareHandler<E> {
  const service = mounting as unknown as LegacyService;
  const upstream = upstreamOf(settings);
  const items = upstream === undefined ? undefined : createLegacyItems(upstream);
  return async (context, next) => {
    const c = context as unknown as WebContext;
    const target = legacyTarget(c, settings.hosts ?? {});
    // links to finished files lead to the host of the request
    if (target === undefined || target.path.startsWith("/v1/results/")) return next();
    if (c.req.method === "OPTIONS") {
      return new Response(null, {
        status: 204,
        headers: preflightHeaders(["GET", "HEAD", "POST", "OPTIONS"], service.acceptedHeaders),
      });
    }
    const form = target.host === "stac" ? stacForm : tilesForm;
    try {
      if (upstream === undefined || items === undefined) {
        throw new LegacyError(502, form(502, "There is no upstream catalog."));
      }
      if (target.host === "stac") return await serveStac(c, upstream, target, { service, settings });
      const answer = await serveTilesHost(c, items, target, service);
      return c.req.method === "HEAD" ? new Response(null, answer) : answer;
    } catch (error) {
      return legacyErrorResponse(error, c, form, service.problemOf);
    }
  };
}

async function serveStac(
  c: WebContext,
  upstream: LegacyUpstream,
  target: LegacyTarget,
  { service, settings }: { readonly service: LegacyService; readonly settings: LegacySettings },
): Promise<Response> {
  const { directory } = upstream;
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (directory !== undefined && isRead && target.path.startsWith("/assets/")) {
    return archiveFile(c, directory, target.path);
  }
  service.checkOpen?.();
  await service.authenticate(c);
  return passThrough(c, upstream, target, settings.limits);
}

async function serveTilesHost(
  c: WebContext,
  items: LegacyItems,
  target: LegacyTarget,
  service: LegacyService,
): Promise<Response> {
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && target.path === "/healthz") return health(c, items, service);
  service.checkOpen?.();
  if (target.path !== "/") service.checkSpending?.();
  const caller = await service.authenticate(c);
  const download = await serveDownloads(c, service, { ...target, caller });
  if (download !== undefined) return download;
  if (!isRead) {
    throw new LegacyError(405, tilesForm(405, "Method Not Allowed"), { headers: { Allow: "GET, HEAD, OPTIONS" } });
  }
  if (target.path === "/") return c.json(landing(target.root));
  const answer = await serveTiles(c, items, service, target);
  if (answer === undefined) throw new LegacyError(404, tilesForm(404, "Not Found"));
  return answer;
}

async function health(c: WebContext, items: LegacyItems, { version }: LegacyService): Promise<Response> {
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
