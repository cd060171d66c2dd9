import { readFile } from "node:fs/promises";
import {
  type Engine,
  type FinishedImage,
  findImage,
  finishImage,
  ImageCache,
  type ImageFormat,
  type ImagePayment,
  type PlannedImage,
  readProcess,
  runProcess,
} from "@swath/engine/node";
import { type Command, InvalidArgumentError } from "commander";
import { type Context, save, withEngine } from "../context.ts";
import type { On } from "../main.ts";
import { addOptions, type Options, requestOf, whole } from "../options.ts";

const FORMATS: Readonly<Record<string, ImageFormat>> = { png: "png", jpg: "jpg", jpeg: "jpg", webp: "webp" };

/** Draws an image that nobody pays for. */
async function draw({ renderer }: Engine["parts"], planned: PlannedImage, signal: AbortSignal): Promise<FinishedImage> {
  let end: (stands: boolean) => void = () => {};
  const whenEnded = (listener: typeof end): void => {
    end = listener;
  };
  const payment: ImagePayment = { admit: async () => {}, isLikely: () => true, lower: () => {}, whenEnded };
  return finishImage(new ImageCache(renderer, 0), planned, payment, { signal }).finally(() => end(true));
}

const unread = (skipped: readonly string[]): string | undefined =>
  skipped.length === 0 ? undefined : `Scenes that could not be read: ${skipped.join(", ")}.`;

/** `swath tile PRESET Z X Y` and `swath extract` */
export function addPixels(program: Command, context: Context, on: On): void {
  const { signal } = context;
  const tile = addOptions(program.command("tile"), ["collection", "time", "output"])
    .description("draw a map tile of 256 x 256 pixels")
    .argument("<preset>", "such as true-color or ndvi; `swath collections ID` lists those of a collection")
    .argument("<z>", "zoom")
    .argument("<x>", "column, from the west")
    .argument("<y>", "row, from the north")
    .option("--set <id>", "tile matrix set; default: WebMercatorQuad");
  on(tile, async (options: Options & { readonly set?: string }, preset = "", ...address) => {
    const [z = 0, x = 0, y = 0] = address.map(whole);
    const { output: path = `${preset}-${z}-${x}-${y}.png`, set: tileMatrixSet = "WebMercatorQuad" } = options;
    const { collection: collections, time } = options;
    const { image, attribution, skipped } = await withEngine(context, options, async (parts) => {
      const where = { kind: "tile", tileMatrixSet, z, x, y } as const;
      const into = { kind: "image", format: formatOf(path) } as const;
      const planned = await findImage(
        parts,
        { where, when: { collections, time }, what: { preset }, into },
        { signal },
      );
      return draw(parts, planned, signal);
    });
    const { used: scenes, bytes } = image;
    await save(context, options, path, bytes, {
      json: { scenes, skipped, attribution },
      columns: ["scenes"],
      rows: [[scenes.length]],
      notes: [
        scenes.length === 0 ? "No scene lies here in this time: the tile is empty." : attribution,
        unread(skipped),
      ],
    });
  });

  const names = [
    "collection",
    "time",
    "ids",
    "maxCloud",
    "order",
    "bbox",
    "area",
    "crs",
    "size",
    "resolution",
  ] as const;
  const extract = addOptions(program.command("extract"), names).description(
    "write an area as a Cloud-Optimized GeoTIFF",
  );
  addOptions(extract, ["bands", "units", "harmonize", "outCrs", "sampleType", "output"]);
  on(extract, async (options) => {
    const request = {
      ...(await requestOf(options)),
      into: { kind: "geotiff", sampleType: options.sampleType, caps: "job" },
    } as const;
    await withEngine(context, options, async (parts, onProgress) => {
      onProgress();
      const { plan, path, skipped } = await runProcess(parts, readProcess(request, parts.registry), {
        signal,
        onProgress,
      });
      const { grid, bands, attribution, units, sampleType } = plan.job;
      const { width, height } = grid;
      const scenes = plan.items.map(({ id }) => id);
      await save(context, options, options.output ?? plan.filename, await readFile(path), {
        json: { width, height, bands, units, sampleType, scenes, skipped, attribution },
        columns: ["width", "height", "bands", "units", "scenes"],
        rows: [[width, height, bands.join(" "), units, scenes.length]],
        notes: [attribution, unread(skipped)],
      });
    });
  });
}

function formatOf(path: string): ImageFormat {
  const format = path === "-" ? "png" : FORMATS[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
  if (format !== undefined) return format;
  throw new InvalidArgumentError(`--output: Expected a name that ends in .png, .jpg or .webp, got "${path}".`);
}
