import type { ExtractionRequest, TileRequest } from "@swath/engine";
import type { ImageFormat } from "@swath/engine/node/images";
import { InvalidArgumentError } from "commander";
import { type Context, save, withEngine } from "../context.ts";
import { type Add, type OptionName, requestOf, whole } from "../options.ts";

const FORMATS: Readonly<Record<string, ImageFormat>> = { png: "png", jpg: "jpg", jpeg: "jpg", webp: "webp" };
const SCENES: readonly OptionName[] = ["collection", "time", "ids", "maxCloud", "order"];
const AREA: readonly OptionName[] = ["bbox", "area", "crs", "size", "resolution", "outCrs"];
const FILE: readonly OptionName[] = ["bands", "units", "harmonize", "sampleType", "output"];

const unread = (skipped: readonly string[]): string | undefined =>
  skipped.length === 0 ? undefined : `Scenes that could not be read: ${skipped.join(", ")}.`;

/** `swath tile PRESET Z X Y` and `swath extract` */
export function addPixels(add: Add, context: Context): void {
  const description = "draw a map tile of 256 x 256 pixels; `collections ID` lists the presets of a collection";
  add("tile <preset> <z> <x> <y>", description, ["collection", "time", "set", "output"], async (options, ...args) => {
    const [preset = "", ...address] = args;
    const [z = 0, x = 0, y = 0] = address.map(whole);
    const { output: path = `${preset}-${z}-${x}-${y}.png`, set: tileMatrixSet = "WebMercatorQuad" } = options;
    const request: TileRequest = {
      where: { kind: "tile", tileMatrixSet, z, x, y },
      when: { collections: options.collection, time: options.time },
      what: { preset },
      into: { kind: "image", format: formatOf(path) },
    };
    const found = await withEngine(context, options, (engine, running) => engine.run(request, running));
    const { image, attribution, skipped } = found;
    const { used: scenes, bytes } = image;
    const none = scenes.length === 0 ? "No scene lies here in this time: the tile is empty." : attribution;
    const facts = { columns: ["scenes"], rows: [[scenes.length]], notes: [none, unread(skipped)] };
    await save(context, options, path, bytes, { json: { scenes, skipped, attribution }, ...facts });
  });

  const extract = "write an area as a Cloud-Optimized GeoTIFF";
  add("extract", extract, [...SCENES, ...AREA, ...FILE], async (options) => {
    const into = { kind: "geotiff", sampleType: options.sampleType } as const;
    const request: ExtractionRequest = { ...(await requestOf(options)), into };
    await withEngine(context, options, async (engine, running) => {
      const { plan, path, skipped, extraction } = await engine.run(request, running);
      const { grid, bands, units, sampleType } = plan.job;
      const { attribution } = extraction;
      const { width, height } = grid;
      const scenes = plan.items.map(({ id }) => id);
      await save(context, options, options.output ?? plan.filename, path, {
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
