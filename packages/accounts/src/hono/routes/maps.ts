import { z } from "@hono/zod-openapi";
import { JSON_TYPE, RequestProblem } from "@swath/web";
import { type SiteOrigins, siteOnly } from "@swath/web/origins";
import { MapLimitError, type MapSettings } from "../../maps/map-tokens.ts";
import type { Maps } from "../../maps/open-maps.ts";
import { takeFrom } from "../../metering/counters/account-limits.ts";
import type { AddressLimit, AddressLimits } from "../../metering/counters/address-limits.ts";
import { AccountError } from "../../people/account.ts";
import { MAP_PATH } from "../access/map-authenticator.ts";
import { DATA } from "../access/route-access.ts";
import type { AccountEnv } from "../metering/context.ts";
import { addMeteredRoute, type MeteredRouter } from "../metering/route.ts";
import { AccountProblem } from "../problems.ts";
import { MAPS, type MapModel, mapAddresses, mapDocument, mapModel, NewMapBody } from "./map-models.ts";
import { MAX_ACCOUNT_BYTES, NO_STORE } from "./models.ts";

const DAY_MS = 86_400_000;
const NO_CACHE = { "Cache-Control": NO_STORE };
/** New maps of one network. */
const NEW_MAPS: AddressLimit = { name: "map", requests: 60, windowMs: 600_000 };

/** The service that maps belong to. */
export interface MapRoutes {
  readonly maps: Maps;
  /** Address of the service, and origins of its website, whose pages alone may call these routes. */
  readonly site: SiteOrigins;
  readonly now: () => Date;
  /** Model of links of the service's documents: an object with at least `rel` and `href`. */
  readonly link: z.ZodType;
  /** Ids of what a map can show. */
  readonly known: { readonly presets: readonly string[]; readonly collections: readonly string[] };
  /** Ends the message about an unknown name; by default with nothing. */
  readonly suggest?: (given: string, known: readonly string[]) => string;
  /** Counts new maps by network; absent: they are not counted. */
  readonly limits?: AddressLimits;
}

const params = z.object({ mapId: z.string().openapi({ description: "Id of the map." }) });
/** Ids as the store makes them: no other text gets there. */
const MAP_ID = /^[0-9a-f]{24}$/;

function unknownMap(id: string): RequestProblem {
  return new RequestProblem("not-found", `There is no map "${id}".`, { headers: NO_CACHE });
}

/** @throws {RequestProblem} `invalid-body` for a name of nothing that a map can show. */
function checkNames(named: Pick<MapSettings, "presets" | "collections">, { known, suggest }: MapRoutes): void {
  const errors = (["presets", "collections"] as const).flatMap((member) =>
    (named[member] ?? []).flatMap((id, i) => {
      if (known[member].includes(id)) return [];
      const what = member === "presets" ? "preset" : "collection";
      const detail = `No ${what} has the id "${id}".${suggest?.(id, known[member]) ?? ""}`;
      return [{ pointer: `/${member}/${i}`, detail }];
    }),
  );
  if (errors.length === 0) return;
  const detail = errors.map((each) => `${each.pointer}: ${each.detail}`).join(" ");
  throw new RequestProblem("invalid-body", detail, { errors });
}

/** @throws {AccountProblem} `key-limit-reached`; `invalid-key` where the account was deleted meanwhile. */
async function make(router: MeteredRouter, { maps }: MapRoutes, account: string | undefined, settings: MapSettings) {
  try {
    return await maps.tokens.create(account, settings);
  } catch (error) {
    if (error instanceof MapLimitError) {
      const limits = { maxMaps: error.max, activeMaps: error.active };
      throw new AccountProblem("key-limit-reached", error.message, { limits, cause: error });
    }
    throw error instanceof AccountError ? router.access.missing(error.message) : error;
  }
}

/** Registers `/v1/maps`: map tokens of the caller's account, or of the service's owner. */
export function registerMaps<E extends AccountEnv>(of: MeteredRouter<E>, options: MapRoutes): void {
  const router = of as unknown as MeteredRouter;
  router.app.use(MAPS, siteOnly(options.site));
  router.app.use(`${MAPS}/*`, siteOnly(options.site));
  const model = mapModel(options.link);
  registerNew(router, options, model);
  registerList(router, options, model);
  registerOne(router, options, model);
}

function registerNew(router: MeteredRouter, options: MapRoutes, model: MapModel): void {
  const { limits, now } = options;
  const token = z
    .string()
    .openapi({ description: "The token, a part of addresses. It is shown this once and not stored." });
  const NewMap = model.extend({ token }).meta({ id: "NewMap" });
  addMeteredRoute(
    router,
    {
      method: "post",
      path: MAPS,
      operationId: "createMap",
      tag: "Maps",
      summary: "A map token: addresses of images that need no header",
      description:
        "Its links are addresses of tiles, TileJSON, WMTS and previews that work by themselves, in `<img>`, Leaflet or any GIS. Whoever has such an address sees images for units of this account, at most `unitsPerDay`.",
      access: DATA,
      body: { json: NewMapBody, maxBytes: MAX_ACCOUNT_BYTES },
      problems: [409],
      responses: {
        201: {
          description: "The map with its token.",
          headers: { Location: { description: "Address of the map.", schema: { type: "string", format: "uri" } } },
          content: { [JSON_TYPE]: { schema: NewMap } },
        },
      },
    },
    async (c, { body: { expiresInDays, ...settings } }) => {
      checkNames(settings, options);
      if (limits !== undefined) await takeFrom(limits, NEW_MAPS, c.get("clientNetwork")());
      const expires = now().getTime() + expiresInDays * DAY_MS;
      const { map, secret } = await make(router, options, c.get("identity").account, { ...settings, expires });
      const baseUrl = c.get("baseUrl");
      const document = mapDocument(map, baseUrl);
      const links = [...document.links, ...mapAddresses(`${baseUrl}${MAP_PATH}/${secret}`, map)];
      const headers = { ...NO_CACHE, Location: `${baseUrl}${MAPS}/${map.id}` };
      return Response.json({ ...document, token: secret, links }, { status: 201, headers });
    },
  );
}

function registerList(router: MeteredRouter, { maps, link }: MapRoutes, model: MapModel): void {
  const MapList = z.object({ maps: z.array(model), links: z.array(link) }).meta({ id: "MapList" });
  addMeteredRoute(
    router,
    {
      method: "get",
      path: MAPS,
      operationId: "listMaps",
      tag: "Maps",
      summary: "Map tokens of the account",
      description: "Active maps, then the newest of those that have ended, at most a hundred.",
      access: DATA,
      responses: { 200: { description: "The maps.", content: { [JSON_TYPE]: { schema: MapList } } } },
    },
    async (c) => {
      const baseUrl = c.get("baseUrl");
      const found = (await maps.tokens.list(c.get("identity").account)).map((map) => mapDocument(map, baseUrl));
      const links = [{ rel: "self", href: `${baseUrl}${MAPS}`, type: JSON_TYPE, title: "These maps" }];
      return Response.json({ maps: found, links }, { headers: NO_CACHE });
    },
  );
}

function registerOne(router: MeteredRouter, { maps }: MapRoutes, model: MapModel): void {
  const path = `${MAPS}/{mapId}`;
  addMeteredRoute(
    router,
    {
      method: "get",
      path,
      operationId: "getMap",
      tag: "Maps",
      summary: "One map token",
      access: DATA,
      params,
      responses: { 200: { description: "The map.", content: { [JSON_TYPE]: { schema: model } } } },
    },
    async (c, { params: { mapId } }) => {
      const map = MAP_ID.test(mapId) ? await maps.tokens.find(c.get("identity").account, mapId) : undefined;
      if (map === undefined) throw unknownMap(mapId);
      return Response.json(mapDocument(map, c.get("baseUrl")), { headers: NO_CACHE });
    },
  );
  addMeteredRoute(
    router,
    {
      method: "delete",
      path,
      operationId: "endMap",
      tag: "Maps",
      summary: "The end of a map token",
      description: "Its addresses answer 401 within a minute on every node, and from caches that keep to `s-maxage`.",
      access: DATA,
      params,
      responses: { 204: { description: "The map has ended." } },
    },
    async (c, { params: { mapId } }) => {
      const hash = MAP_ID.test(mapId) ? await maps.tokens.end(c.get("identity").account, mapId) : undefined;
      if (hash === undefined) throw unknownMap(mapId);
      maps.lookup.forget([hash]);
      return new Response(null, { status: 204, headers: NO_CACHE });
    },
  );
}
