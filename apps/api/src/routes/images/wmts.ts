import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import type { FinishedImages } from "@swath/engine/node/images";
import { SCHEMA_VERSION } from "@swath/schema";
import { sendDocument } from "@swath/web/answers";
import { XML_TYPE } from "../../documents/media-types.ts";
import { capabilitiesDocument } from "../../documents/wmts.ts";
import { CACHE_DOCUMENT, CACHE_FALLBACK, sharedByMap } from "../../http/answer/documents.ts";
import { type AppContext, apiUrlOf, isShownByMap, mapOf } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { IMAGES } from "../../http/request/route-access.ts";
import { presetThere } from "../../operations/presets.ts";
import { describeLayers, type LayerName, layerNames } from "../../operations/wmts-layers.ts";
import { IMAGE_RESPONSES, sendImage } from "./images.ts";
import { PresetPath } from "./presets.ts";
import { checkTileOfMap, type TileServices, tileRequest } from "./tiles.ts";
import { checkCapabilities, readOperation, readPairs, readTile, TILE_KEYS } from "./wmts-request.ts";

/** Path of the capabilities of the presets that are listed first, below that of the interface. */
const CAPABILITIES = "/wmts/WMTSCapabilities.xml";

const CAPABILITIES_RESPONSES = {
  200: {
    description: "Capabilities of OGC WMTS 1.0.0.",
    content: { [XML_TYPE]: { schema: z.string().openapi({ description: "An XML document." }) } },
  },
};

const pair = (description: string, values?: readonly string[]) =>
  z
    .string()
    .optional()
    .openapi({ description, ...(values === undefined ? {} : { enum: [...values] }) });

/** Key-value pairs as the standard names them; the names may be in any case, others are ignored. */
const Pairs = z.looseObject({
  SERVICE: pair("The service.", ["WMTS"]),
  REQUEST: pair("The operation.", ["GetCapabilities", "GetTile"]),
  ACCEPTVERSIONS: pair("GetCapabilities: versions that the client reads, comma-separated; 1.0.0 is written."),
  VERSION: pair("GetTile: 1.0.0."),
  LAYER: pair("GetTile: a layer of the capabilities."),
  STYLE: pair("GetTile: `default`, or empty."),
  FORMAT: pair("GetTile: media type of the image."),
  TILEMATRIXSET: pair("GetTile: tile matrix set."),
  TILEMATRIX: pair("GetTile: zoom."),
  TILEROW: pair("GetTile: row, from the north."),
  TILECOL: pair("GetTile: column, from the west."),
  COLLECTION: pair("GetTile of the layer `custom`: collection id or alias."),
  EXPRESSION: pair("GetTile of the layer `custom`: as `expression` of tiles."),
  BANDS: pair("GetTile of the layer `custom`: as `bands` of tiles."),
  RESCALE: pair("GetTile of the layer `custom`: as `rescale` of tiles."),
  COLORMAP: pair("GetTile of the layer `custom`: as `colormap` of tiles."),
  TIME: pair("GetTile: window of acquisitions as in `datetime`; default: that of the layer."),
});

/** Parameters that clients append to the address of capabilities as well (OWSLib, QGIS), in any case. */
const CapabilitiesPairs = z.looseObject({
  SERVICE: pair("Sent by clients that append it to every address; ignored.", ["WMTS"]),
  REQUEST: pair("Sent by clients that append it to every address.", ["GetCapabilities"]),
  VERSION: pair("Sent by clients that append it to every address; ignored."),
});

/** Web Map Tile Service 1.0.0 (OGC 07-057r7): capabilities by address and by key-value pairs, tiles by key-value pairs. */
export function registerWmts(
  router: Router,
  services: Omit<TileServices, "recentScenes">,
  images: FinishedImages,
): void {
  const { registry } = services;

  const sendCapabilities = async (
    c: AppContext,
    names: readonly LayerName[],
    title: string,
    path: string,
  ): Promise<Response> => {
    const shown = names.filter(({ preset, collectionId }) =>
      isShownByMap(c, { preset: preset.id, collection: collectionId }),
    );
    const { layers, isCurrent } = await describeLayers(services, shown, { signal: c.get("signal") });
    const own = isCurrent ? CACHE_DOCUMENT : CACHE_FALLBACK;
    return sendDocument(
      c,
      capabilitiesDocument(layers, { title, apiUrl: apiUrlOf(c), v1: `${c.get("baseUrl")}/v1`, path }),
      {
        type: XML_TYPE,
        cacheControl: mapOf(c) === undefined ? own : sharedByMap(own),
        version: SCHEMA_VERSION,
      },
    );
  };
  const sendAll = (c: AppContext): Promise<Response> => {
    // a map shows what it names, whichever page of presets has it
    const named = (mapOf(c)?.presets ?? []).filter((id) => registry.furtherPresets.some((each) => each.id === id));
    const names = [...layerNames(registry), ...named.flatMap((id) => layerNames(registry, id))];
    return sendCapabilities(c, names, "Swath", CAPABILITIES);
  };

  addRoute(
    router,
    {
      method: "get",
      path: `/v1${CAPABILITIES}`,
      operationId: "getWmtsCapabilities",
      byMap: true,
      tag: "Rendering",
      summary: "WMTS capabilities of the presets that are listed first",
      description:
        "Presets of further pages of `/v1/presets` are layers too; each has capabilities of its own, below its tiles.",
      access: PUBLIC,
      etag: true,
      query: CapabilitiesPairs,
      responses: CAPABILITIES_RESPONSES,
    },
    (c, { query }) => {
      checkCapabilities(readPairs(query));
      return sendAll(c);
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/tiles/{presetId}/WMTSCapabilities.xml",
      operationId: "getPresetWmtsCapabilities",
      byMap: true,
      tag: "Rendering",
      summary: "WMTS capabilities of a preset",
      access: PUBLIC,
      etag: true,
      params: PresetPath,
      query: CapabilitiesPairs,
      responses: CAPABILITIES_RESPONSES,
    },
    async (c, { params, query }) => {
      checkCapabilities(readPairs(query));
      const { id, title } = await presetThere(services, params.presetId);
      return sendCapabilities(c, layerNames(registry, id), `Swath: ${title}`, `/tiles/${id}/WMTSCapabilities.xml`);
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/wmts",
      operationId: "askWmts",
      byMap: true,
      tag: "Rendering",
      summary: "WMTS by key-value pairs",
      description:
        "GetCapabilities and GetTile of OGC WMTS 1.0.0. Names of parameters may be in any case. GetCapabilities needs no key; GetTile answers as the tile's own address does. The layer `custom`, which capabilities do not list, draws bands or an expression of one's own.",
      access: IMAGES,
      cost: "by-plan",
      // names alone: what is wrong with a request is said to everybody
      accessOf: (c) => (isGetTile(c.req.query()) ? IMAGES : PUBLIC),
      etag: true,
      query: Pairs,
      members: TILE_KEYS,
      problems: [404, 422],
      responses: {
        200: {
          ...IMAGE_RESPONSES[200],
          description: "Capabilities, or the image.",
          content: { ...CAPABILITIES_RESPONSES[200].content, ...IMAGE_RESPONSES[200].content },
        },
      },
    },
    async (c, { query }) => {
      const pairs = readPairs(query);
      if (readOperation(pairs) === "GetCapabilities") return sendAll(c);
      const request = readTile(pairs, registry);
      checkTileOfMap(c, services, request);
      return sendImage(c, images, tileRequest(services, request, { signal: c.get("signal") }));
    },
  );
}

function isGetTile(query: Readonly<Record<string, string>>): boolean {
  return Object.entries(query).some(([name, value]) => name.toUpperCase() === "REQUEST" && value === "GetTile");
}
