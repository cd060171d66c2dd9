import { z } from "@hono/zod-openapi";
import { getPreset, Refusal, upstreamsNamed } from "@swath/engine";
import {
  type FinishedImage,
  finishImage,
  MEDIA_TYPES,
  type PlannedAreaImage,
  type PlannedImage,
  planAreaImage,
  planPreviewImage,
} from "@swath/engine/node";
import { parseBbox } from "@swath/query";
import type { Preset } from "@swath/schema";
import { Link } from "@swath/stac";
import { GEOJSON, JSON_TYPE } from "../../documents/media-types.ts";
import { type Asked, coverageOf } from "../coverage.ts";
import { explorerAddress } from "../explorer-address.ts";
import { defineTool, type ToolAnswer, type ToolCall, type ToolServices } from "../tool.ts";
import { namedBy } from "./named-by.ts";

const DEFAULT_SIZE = 512;
const MAX_SIZE = 1024;
/** Larger images are encoded as JPEG: as base64, a third longer, an image stays under a megabyte. */
const MAX_BYTES = 700_000;

const DESCRIPTION = `Renders satellite imagery as an image to look at: a mosaic of the scenes of a time over a box, or one scene.
- preset: what is drawn. "true-color": as eyes see it; "false-color": vegetation in red; "ndvi": vegetation, from brown (none) to green; others, and the collections that each takes, are in the resource "presets".
- bbox: [west, south, east, north] in degrees, west > east across the antimeridian; or item: the id of one scene (from \`search\`) with its collection. One of them.
- collection: id or alias; default the preset's.
- datetime: with bbox, an interval such as "2024-06-01/2024-08-31"; default the preset's, some weeks until now. The least cloudy scenes are on top.
- size: long edge in pixels, 64 to ${MAX_SIZE}, default ${DEFAULT_SIZE}.
Pixels without data are transparent (PNG) or white (JPEG). A bbox may span at most some 2 to 3 degrees at 512 pixels, twice that at 1024. North is up; Web Mercator with bbox, the scene's own grid with item. Costs width x height / 262,144 x bands / 3 units, at least 0.005.
Examples: {"preset": "true-color", "bbox": [13.2, 45.4, 13.4, 45.6], "datetime": "2024-06-01/2024-08-31"}; {"preset": "ndvi", "collection": "sentinel-2-l2a", "item": "S2B_T33TUL_20240704T100211_L2A", "size": 1024}`;

const Input = z
  .strictObject({
    preset: z.string().openapi({ description: "Preset id.", example: "true-color" }),
    bbox: z.array(z.number()).min(4).max(6).optional().openapi({
      description:
        "West, south, east, north in degrees (CRS84), west > east across the antimeridian; instead of `item`.",
    }),
    item: z.string().optional().openapi({ description: "Id of one scene, of `collection`; instead of `bbox`." }),
    collection: z.string().optional().openapi({ description: "Collection id or alias; default: the preset's." }),
    datetime: z.string().optional().openapi({
      description:
        "With `bbox`: RFC 3339 interval of acquisitions, UTC; default: the preset's `defaultWindow` ending now.",
    }),
    size: z
      .int()
      .min(64)
      .max(MAX_SIZE)
      .optional()
      .openapi({ default: DEFAULT_SIZE, description: "Long edge, pixels." }),
  })
  .meta({ id: "RenderArguments" });
type Input = z.infer<typeof Input>;

const Rendered = z
  .object({
    preset: z.string(),
    collection: z.string(),
    bbox: z.array(z.number()).openapi({ description: "What the image shows, degrees." }),
    mediaType: z.string(),
    size: z.int().openapi({ description: "Long edge, pixels; an item of fewer pixels gives a smaller image." }),
    itemIds: z.array(z.string()).openapi({ description: "Scenes that gave pixels, first on top." }),
    skipped: z.array(z.string()).openapi({ description: "Scenes that cannot be read, left out." }),
    truncated: z.boolean().openapi({ description: "More scenes would have been needed to fill the image." }),
    upstreamsMissing: z
      .array(z.string())
      .optional()
      .openapi({ description: "Upstreams that did not answer: the image lacks their scenes." }),
    attribution: z.string().openapi({ description: "Credit line to show with the image." }),
    links: z.array(Link),
  })
  .meta({ id: "RenderedImage" });

/** An image that is asked for, planned in one of two formats. */
interface Request {
  readonly plan: (format: "small" | "faithful") => Promise<PlannedImage>;
  readonly bbox: (planned: PlannedImage) => readonly number[];
  readonly links: (planned: PlannedImage, bbox: readonly number[]) => readonly Link[];
  /** Where scenes were looked for; `undefined`: the scene was named. */
  readonly asked: (planned: PlannedImage) => Asked | undefined;
}

export const render = defineTool({
  name: "render",
  title: "Render an image",
  description: DESCRIPTION,
  notes: {},
  input: Input,
  output: Rendered,
  members: {
    in: "body",
    names: { where: "", "when.time": "/datetime", "when.collections": "/collection", "what.preset": "/preset" },
  },
  async call(services, input, call): Promise<ToolAnswer> {
    const { preset: presetId, size = DEFAULT_SIZE } = input;
    const preset = await namedBy("/preset", () => getPreset(services.registry, presetId));
    const request = requestOf(services, preset, input, call);
    const { planned, finished } = await finish(services, request, call);
    const { image, attribution, skipped } = finished;
    const bbox = request.bbox(planned);
    const links = request.links(planned, bbox);
    const mimeType = MEDIA_TYPES[image.format];
    const shown: z.infer<typeof Rendered> = {
      preset: presetId,
      collection: planned.collection.id,
      bbox: [...bbox],
      mediaType: mimeType,
      size,
      itemIds: [...image.used],
      skipped: [...skipped],
      truncated: image.truncated,
      ...(planned.missing === undefined ? {} : { upstreamsMissing: [...planned.missing] }),
      attribution,
      links: [...links],
    };
    const [map] = links;
    const { missing } = planned;
    const lacking =
      missing === undefined ? [] : [`${upstreamsNamed(missing)} did not answer: the image lacks scenes of it.`];
    const asked = request.asked(planned);
    const nothing =
      shown.itemIds.length > 0 || asked === undefined
        ? []
        : [await coverageOf(services, asked, { signal: call.signal })];
    return {
      structured: shown,
      text: [textOf(preset, shown), ...lacking, ...nothing].join("\n"),
      content: [
        { type: "image", data: Buffer.from(image.bytes).toString("base64"), mimeType },
        ...(map === undefined
          ? []
          : [
              {
                type: "resource_link" as const,
                uri: map.href,
                name: "map",
                title: "The same on a map that can be moved",
                mimeType: "text/html",
              },
            ]),
      ],
    };
  },
});

/**
 * The image, as PNG or where it has no gaps as JPEG, and always as JPEG where it is too large for a message.
 *
 * @throws what planning and rendering throw.
 */
async function finish(
  { images }: ToolServices,
  request: Request,
  call: ToolCall,
): Promise<{ readonly planned: PlannedImage; readonly finished: FinishedImage }> {
  const planned = await request.plan("faithful");
  const finished = await finishImage(images.cache, planned, call, call);
  if (finished.image.bytes.byteLength <= MAX_BYTES) return { planned, finished };
  const smaller = await request.plan("small");
  // the call is charged for one of the two: where the first was there already, for this one
  const payment = finished.isCached ? call : { ...call, admit: async () => {}, isLikely: () => true, lower: () => {} };
  return { planned: smaller, finished: await finishImage(images.cache, smaller, payment, call) };
}

function requestOf(services: ToolServices, preset: Preset, input: Input, call: ToolCall): Request {
  const { bbox, item: itemId, collection, datetime, size = DEFAULT_SIZE } = input;
  const { baseUrl, signal } = call;
  if ((bbox === undefined) === (itemId === undefined)) {
    const got = bbox === undefined ? "neither" : "both";
    throw new Refusal("invalid", ["where", "bbox"], `Expected bbox or item, got ${got}.`);
  }
  if (itemId !== undefined) {
    if (datetime !== undefined) {
      throw new Refusal("invalid", ["when", "time"], "Expected no datetime beside item: it is one scene.");
    }
    const collectionId = collection ?? preset.collection;
    const asked = { collectionId, itemId, maxSize: size, presetId: preset.id };
    return {
      plan: (format) =>
        namedBy(services.registry.find(collectionId) === undefined ? "/collection" : "/item", () =>
          planPreviewImage(services, { ...asked, format: format === "small" ? "jpg" : "png" }, { signal }),
        ),
      bbox: ({ items }) => items[0]?.bbox ?? [],
      asked: () => undefined,
      links: ({ collection: { id }, items: [item] }, shown) => [
        explorerAddress(baseUrl, { preset: preset.id, collection: id, bbox: shown, item }, services.now()),
        {
          rel: "item",
          type: GEOJSON,
          href: `${baseUrl}/v1/collections/${id}/items/${encodeURIComponent(itemId)}`,
          title: "The scene's document",
        },
      ],
    };
  }
  const box = parseBbox([...(bbox ?? [])], { in: "body", pointer: "/bbox" });
  const asked = { presetId: preset.id, bbox: box, size, collection, datetime };
  return {
    plan: (format) =>
      namedBy("/collection", () =>
        planAreaImage(services, { ...asked, format: format === "small" ? "jpg" : "auto" }, { signal }),
      ),
    bbox: () => box,
    asked: (planned) => ({
      collections: [planned.collection],
      bbox: box,
      window: (planned as PlannedAreaImage).tiles.window,
    }),
    links: (planned, shown) => {
      const { window } = (planned as PlannedAreaImage).tiles;
      const query = new URLSearchParams({ collection: planned.collection.id, ...(datetime && { datetime }) });
      return [
        explorerAddress(
          baseUrl,
          { preset: preset.id, collection: planned.collection.id, bbox: shown, window },
          services.now(),
        ),
        {
          rel: "tiles",
          type: JSON_TYPE,
          href: `${baseUrl}/v1/tiles/${preset.id}/WebMercatorQuad/tilejson.json?${query}`,
          title: "TileJSON of the same mosaic",
        },
      ];
    },
  };
}

function textOf({ title, description }: Preset, shown: z.infer<typeof Rendered>): string {
  const { collection, bbox, itemIds, skipped, truncated, attribution } = shown;
  const scenes = itemIds.length === 0 ? "no scene: the image is empty" : `scenes ${itemIds.join(", ")}`;
  return [
    `${title} of ${collection}, ${bbox.join(", ")}; ${scenes}.`,
    ...(description === undefined ? [] : [description]),
    ...(skipped.length === 0 ? [] : [`Left out, since they cannot be read: ${skipped.join(", ")}.`]),
    ...(truncated ? ["More scenes would have been needed to fill the image."] : []),
    attribution,
  ].join("\n");
}
