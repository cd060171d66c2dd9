import { z } from "@hono/zod-openapi";
import { PUBLIC } from "@swath/accounts/hono";
import type { Extents } from "@swath/catalog/node";
import { SCHEMA_VERSION } from "@swath/schema";
import { Preset, ShownRecipe } from "@swath/schema/presets";
import { Link } from "@swath/stac";
import { sendDocument } from "@swath/web/answers";
import { JSON_TYPE } from "../../documents/media-types.ts";
import { FURTHER, presetDocument, presetList } from "../../documents/preset.ts";
import type { ProfileLinks } from "../../documents/profile-links.ts";
import { CACHE_DOCUMENT } from "../../http/answer/documents.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { presetsThere, presetThere } from "../../operations/presets.ts";
import type { SearchParts } from "../../operations/services.ts";

const PresetDocument = Preset.extend({
  "svc:recipes": z.record(z.string(), ShownRecipe).openapi({ description: "Recipe by collection id." }),
  links: z.array(Link),
}).meta({ id: "PresetDocument" });
const PresetList = z.object({ presets: z.array(PresetDocument), links: z.array(Link) }).meta({ id: "PresetList" });

const PresetsQuery = z.strictObject({
  token: z.enum([FURTHER]).optional().openapi({ description: "Paging token of the `next` link." }),
});

export const PresetPath = z.object({
  presetId: z.string().openapi({ description: "Preset id.", example: "true-color" }),
});

export function registerPresets(
  router: Router,
  { registry, extents }: Pick<SearchParts, "registry"> & { readonly extents: Extents },
  more: ProfileLinks,
): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/presets",
      operationId: "getPresets",
      tag: "Rendering",
      summary: "Presets: what can be drawn as tiles",
      description:
        "Each index of `/v1/schema` is the preset `index-{id}`. The first page has the usual ones, its `next` link the others.",
      access: PUBLIC,
      etag: true,
      query: PresetsQuery,
      responses: { 200: { description: "The presets.", content: { [JSON_TYPE]: { schema: PresetList } } } },
    },
    async (c, { query: { token } }) => {
      const baseUrl = c.get("baseUrl");
      const { presets, hasNext } = await presetsThere({ registry, extents }, token !== undefined);
      return sendDocument(c, presetList(presets, { registry, baseUrl, more }, { token, hasNext }), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
      });
    },
  );
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/presets/{presetId}",
      operationId: "getPreset",
      tag: "Rendering",
      summary: "One preset",
      access: PUBLIC,
      etag: true,
      params: PresetPath,
      responses: { 200: { description: "The preset.", content: { [JSON_TYPE]: { schema: PresetDocument } } } },
    },
    async (c, { params }) => {
      const preset = await presetThere({ registry, extents }, params.presetId);
      return sendDocument(c, presetDocument(preset, { registry, baseUrl: c.get("baseUrl"), more }), {
        cacheControl: CACHE_DOCUMENT,
        version: SCHEMA_VERSION,
      });
    },
  );
}
