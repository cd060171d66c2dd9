import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import type { Extents } from "@swath/catalog/node";
import { LEGEND_SIZE } from "@swath/chart/legend-size";
import { readTileSet } from "@swath/engine/node/images";
import { legendOf } from "@swath/engine/results";
import { SCHEMA_VERSION } from "@swath/schema";
import { conditional, fingerprint, sendDocument } from "@swath/web/answers";
import { LegendDocument, legendDocument } from "../../documents/legend.ts";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { CACHE_DOCUMENT } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { withCollection } from "../../operations/presets.ts";
import type { ImageParts } from "../../operations/services.ts";
import { IMAGE_PARAMETERS, StyleQuery, whatOf } from "./parameters.ts";
import { PresetPath } from "./presets.ts";
import { toPng } from "./svg-png.ts";

const PNG = "image/png";
/** Named in ETags: raised when the same legend is drawn otherwise than before. */
const DRAWING = 1;
const LegendPath = PresetPath.extend({
  format: z.enum(["png", "json"]).openapi({ description: "A drawing, or the colors as data." }),
});

/** Registers the legends of presets. */
export function registerLegends(
  router: Router,
  services: Pick<ImageParts, "registry" | "now"> & { readonly extents: Extents },
): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/presets/{presetId}/legend.{format}",
      operationId: "getLegend",
      tag: "Rendering",
      summary: "Legend of a preset",
      description: `What its colors mean, with the unit of the values: a PNG of ${LEGEND_SIZE.width} × ${LEGEND_SIZE.height} pixels, or JSON.`,
      access: PUBLIC,
      etag: true,
      params: LegendPath,
      query: StyleQuery,
      problems: [422],
      members: { in: "query", names: IMAGE_PARAMETERS },
      responses: {
        200: {
          description: "The legend.",
          content: {
            [JSON_TYPE]: { schema: LegendDocument },
            [PNG]: { schema: z.any().openapi({ type: "string", format: "binary" }) },
          },
        },
      },
    },
    async (c, { params, query }) => {
      const { collection } = query;
      const request = await withCollection(services, {
        where: { tileMatrixSet: "WebMercatorQuad" },
        when: collection === undefined ? {} : { collections: [collection] },
        what: whatOf(params.presetId, query),
      });
      const tiles = readTileSet(services.registry, request, services.now());
      const legend = legendOf(tiles);
      const rules = { cacheControl: CACHE_DOCUMENT, version: SCHEMA_VERSION };
      if (params.format === "json") {
        const href = `${c.get("baseUrl")}${c.req.path}${new URL(c.req.url).search}`;
        return sendDocument(c, await legendDocument(legend, tiles, href), rules);
      }
      const { legendChart } = await import("@swath/chart");
      const svg = legendChart(legend);
      const etag = `"l${DRAWING}-${fingerprint(svg)}"`;
      return conditional(c, { etag, cacheControl: CACHE_DOCUMENT }, async () => {
        const bytes = await toPng(svg);
        return new Response(bytes, { headers: { "Content-Type": PNG, "Content-Length": String(bytes.byteLength) } });
      });
    },
  );
}
