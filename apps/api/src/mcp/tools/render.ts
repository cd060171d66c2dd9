import { z } from "@hono/zod-openapi";
import { type ImageRequest, Refusal } from "@swath/engine";
import { type FinishedImage, findImage, finishImage, MEDIA_TYPES, type PlannedImage } from "@swath/engine/node/images";
import { presetNamed, upstreamsNamed } from "@swath/engine/search";
import type { ToolAnswer } from "@swath/mcp";
import { parseBbox } from "@swath/query";
import type { Preset } from "@swath/schema/presets";
import { Link } from "@swath/stac";
import { findPercentiles, PERCENTILES } from "../../bodies/percentiles.ts";
import { GEOJSON, JSON_TYPE } from "../../documents/media-types.ts";
import { coverageOf } from "../coverage.ts";
import { explorerAddress } from "../explorer-address.ts";
import { defineTool, type ToolCall } from "../tool.ts";

const DEFAULT_SIZE = 512;
const MAX_SIZE = 1024;
/** Preset whose bands or expression the call says itself. */
const CUSTOM = "custom";
/** Larger images are encoded as JPEG: as base64, a third longer, an image stays under a megabyte. */
const MAX_BYTES = 700_000;

const DESCRIPTION = `Renders satellite imagery as an image to look at: a mosaic of the scenes of a time over a box, or one scene.
- preset: what is drawn. "true-color": as eyes see it; "false-color": vegetation in red; "ndvi": vegetation, from brown (none) to green; "index-{id}": an index; others, and the collections that each takes, are in the resource "presets".
- With preset "custom": expression (band math on physical values, such as "(nir - red) / (nir + red)"), or bands (one or three names); rescale and colormap, else usual values and grey.
- bbox: [west, south, east, north] in degrees, west > east across the antimeridian; or item: the id of one scene (from \`search\`) with its collection. One of them.
- datetime: with bbox, an interval such as "2024-06-01/2024-08-31"; default the preset's, some weeks until now. The least cloudy scenes are on top.
Pixels without data are transparent (PNG) or white (JPEG). A bbox may span at most some 2 to 3 degrees at 512 pixels, twice that at 1024. Costs width x height / 262,144 x bands / 3 units, at least 0.005.
Examples: {"preset": "true-color", "bbox": [13.2, 45.4, 13.4, 45.6], "datetime": "2024-06-01/2024-08-31"}; {"preset": "ndvi", "collection": "sentinel-2-l2a", "item": "S2B_T33TUL_20240704T100211_L2A", "size": 1024}`;

const Input = z
  .strictObject({
    preset: z.string().openapi({ description: "Preset id, or `custom`.", example: "true-color" }),
    expression: z
      .string()
      .optional()
      .openapi({ description: "With `custom`: band math, one or three divided by `;`." }),
    bands: z.array(z.string()).optional().openapi({ description: "With `custom`: one or three bands, no expression." }),
    rescale: z
      .union([z.array(z.number()), z.string().regex(PERCENTILES, "Expected percentiles, such as p2,p98")])
      .optional()
      .openapi({
        description:
          "With `custom`: [min, max] shown as first and last color, once or three times, in units of the expression or bands (reflectance 0 to 1); or percentiles of the values in view, `p2,p98`.",
      }),
    colormap: z.string().optional().openapi({ description: "With `custom` of one band: such as `viridis`." }),
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
    rescale: z
      .array(z.number())
      .optional()
      .openapi({ description: "Of percentiles: the values that they are, as `rescale` takes them." }),
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

export const render = defineTool({
  name: "render",
  title: "Render an image",
  description: DESCRIPTION,
  input: Input,
  output: Rendered,
  members: {
    in: "body",
    names: {
      "where.bbox": "/bbox",
      "where.id": "/item",
      "where.id.files": "/item",
      "when.collections.0": "/collection",
      "when.time": "/datetime",
      "what.preset": "/preset",
      "what.expression": "/expression",
      "what.bands": "/bands",
      "what.style.rescale": "/rescale",
      "what.style.colormap": "/colormap",
    },
  },
  async call(input, call): Promise<ToolAnswer> {
    const { services } = call;
    const { preset: presetId, size = DEFAULT_SIZE } = input;
    const preset = presetId === CUSTOM ? undefined : presetNamed(presetId, services.registry);
    const request = requestOf(input, preset);
    const { planned, finished } = await finish(request, call);
    const { image, attribution, skipped } = finished;
    const { where } = request;
    const bbox = (where.kind === "area" ? where.bbox : planned.items[0]?.bbox) ?? [];
    const { ranges } = image;
    const links = linksOf(request, planned, { bbox, ranges, baseUrl: call.baseUrl, now: services.now() });
    const mimeType = MEDIA_TYPES[image.format];
    const shown: z.infer<typeof Rendered> = {
      preset: presetId,
      collection: planned.collection.id,
      bbox: [...bbox],
      mediaType: mimeType,
      size,
      ...(ranges === undefined ? {} : { rescale: ranges.flat() }),
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
    const asked = { collections: [planned.collection], bbox, window: planned.window };
    const isNothing = shown.itemIds.length === 0 && where.kind === "area";
    const nothing = isNothing ? [await coverageOf(services, asked, { signal: call.signal })] : [];
    return {
      structured: shown,
      text: [
        textOf(preset ?? { title: input.expression ?? input.bands?.join(", ") ?? "" }, shown),
        ...lacking,
        ...nothing,
      ].join("\n"),
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
  request: ImageRequest,
  call: ToolCall,
): Promise<{ readonly planned: PlannedImage; readonly finished: FinishedImage }> {
  const { services } = call;
  const { cache } = services.images;
  const planned = await findImage(services, request, call);
  const finished = await finishImage(cache, planned, call, call);
  if (finished.image.bytes.byteLength <= MAX_BYTES) return { planned, finished };
  const smaller = await findImage(services, { ...request, into: { kind: "image", format: "jpg" } }, call);
  // the call is charged for one of the two: where the first was there already, for this one
  const payment = finished.isCached ? call : { ...call, admit: async () => {}, isLikely: () => true, lower: () => {} };
  return { planned: smaller, finished: await finishImage(cache, smaller, payment, call) };
}

/** @throws {Refusal} `invalid` for both or neither of a box and an item; {QueryError} for a bad box. */
function requestOf(input: Input, preset: Preset | undefined): ImageRequest {
  const { bbox, item, collection, datetime, size = DEFAULT_SIZE } = input;
  if ((bbox === undefined) === (item === undefined)) {
    const got = bbox === undefined ? "neither" : "both";
    throw new Refusal("invalid", ["where", "bbox"], `Expected bbox or item, got ${got}.`);
  }
  const shared = { what: whatOf(input), into: { kind: "image", format: "auto" } } as const;
  const named = collection ?? preset?.collection;
  if (named === undefined) throw new Refusal("invalid", ["when", "collections", 0], "Expected one beside custom.");
  const collections = [named];
  if (item === undefined) {
    const box = parseBbox([...(bbox ?? [])], { in: "body", pointer: "/bbox" });
    const when = { collections, time: datetime };
    return { ...shared, where: { kind: "area", bbox: box, frame: { size } }, when };
  }
  if (datetime === undefined) {
    return { ...shared, where: { kind: "item", id: item, maxSize: size }, when: { collections } };
  }
  throw new Refusal("invalid", ["when", "time"], "Expected no datetime beside item: it is one scene.");
}

/** Pairs of a list; a last number alone is a pair without an end, which is refused. */
const pairsOf = (numbers: readonly number[]): readonly (readonly [number, number])[] =>
  Array.from({ length: Math.ceil(numbers.length / 2) }, (_, i) => [
    numbers[2 * i] ?? 0,
    numbers[2 * i + 1] ?? Number.NaN,
  ]);

type Rescale = NonNullable<ImageRequest["what"]["style"]>["rescale"];

const rescaleOf = (rescale: Input["rescale"]): Rescale =>
  typeof rescale === "string" ? findPercentiles(rescale) : rescale === undefined ? undefined : pairsOf(rescale);

/** @throws {Refusal} `invalid` for a style beside another preset than `custom`. */
function whatOf({ preset, expression, bands, rescale, colormap }: Input): ImageRequest["what"] {
  const style = { rescale: rescaleOf(rescale), colormap };
  if (preset === CUSTOM) return { expression, bands, style };
  const given = Object.entries({ expression, bands, "style.rescale": rescale, "style.colormap": colormap });
  const [wrong] = given.find(([, value]) => value !== undefined) ?? [];
  if (wrong === undefined) return { preset };
  throw new Refusal("invalid", ["what", ...wrong.split(".")], "Expected none: it is for the preset custom.");
}

interface ShownOn {
  readonly bbox: readonly number[];
  /** The values that percentiles are. */
  readonly ranges: FinishedImage["image"]["ranges"];
  readonly baseUrl: string;
  readonly now: Date;
}

function linksOf(
  { where, when, what }: ImageRequest,
  { collection: { id }, items: [item], window }: PlannedImage,
  { bbox, ranges, baseUrl, now }: ShownOn,
): readonly Link[] {
  const { preset = CUSTOM, expression, bands, style: { rescale, colormap } = {} } = what;
  const view = { preset, collection: id, bbox, window };
  const shown = rescale !== undefined && "percentiles" in rescale ? ranges : rescale;
  if (where.kind === "item") {
    const href = `${baseUrl}/v1/collections/${id}/items/${encodeURIComponent(where.id)}`;
    return [
      explorerAddress(baseUrl, { ...view, item }, now),
      { rel: "item", type: GEOJSON, href, title: "The scene's document" },
    ];
  }
  const query = new URLSearchParams({
    collection: id,
    ...(typeof when.time === "string" && { datetime: when.time }),
    ...(expression !== undefined && { expression }),
    ...(bands !== undefined && { bands: bands.join(",") }),
    ...(shown !== undefined && { rescale: shown.flat().join(",") }),
    ...(colormap !== undefined && { colormap }),
  });
  const href = `${baseUrl}/v1/tiles/${preset}/WebMercatorQuad/tilejson.json?${query}`;
  return [
    explorerAddress(baseUrl, view, now),
    { rel: "tiles", type: JSON_TYPE, href, title: "TileJSON of the same mosaic" },
  ];
}

function textOf(
  { title, description }: Pick<Preset, "title" | "description">,
  shown: z.infer<typeof Rendered>,
): string {
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
