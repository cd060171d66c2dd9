import { finishImage, ImageCache, type ImageFormat, type ImagePayment, planTileImage } from "@swath/engine/node";
import { type Command, InvalidArgumentError } from "commander";
import type { Context, Run } from "../main.ts";
import { type CommonOptions, whole } from "../options.ts";
import { print } from "../print.ts";
import { withEngine } from "../with-engine.ts";
import { outputOf, writeOutput } from "../write-output.ts";

interface TileOptions extends CommonOptions {
  readonly output?: string;
  readonly collection?: string;
  readonly time?: string;
  readonly set: string;
}

const FORMATS: Readonly<Record<string, ImageFormat>> = { png: "png", jpg: "jpg", jpeg: "jpg", webp: "webp" };

/** Nobody pays here. */
const FREE: ImagePayment = {
  admit: async () => {},
  isLikely: () => true,
  lower: () => {},
  whenEnded: (listener) => listener(true),
};

/** `swath tile PRESET Z X Y` */
export function addTile(program: Command, context: Context, run: Run): void {
  program
    .command("tile")
    .description("draw a map tile of 256 x 256 pixels")
    .argument("<preset>", "such as true-color or ndvi; `swath collections ID` lists those of a collection")
    .argument("<z>", "zoom", whole)
    .argument("<x>", "column, from the west", whole)
    .argument("<y>", "row, from the north", whole)
    .option("--collection <id>", "id or alias of a collection; default: the preset's")
    .option("--time <from/to>", "window of acquisitions; default: the preset's, ending now")
    .option("--set <id>", "tile matrix set", "WebMercatorQuad")
    .option("-o, --output <file>", "PNG, JPEG or WebP, by its ending; - for standard output")
    .action((presetId: string, z: number, x: number, y: number, _: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<TileOptions>();
        const path = outputOf(options, `${presetId}-${z}-${x}-${y}.png`);
        const format = formatOf(path);
        const { set: tileMatrixSetId, collection, time: datetime } = options;
        const input = { presetId, tileMatrixSetId, z, x, y, format, collection, datetime };
        const { signal } = context;
        const { image, attribution, skipped } = await withEngine(context, options, async (parts) => {
          const planned = await planTileImage(parts, input, { signal });
          return finishImage(new ImageCache(parts.renderer, 0), planned, FREE, { signal });
        });
        await writeOutput(context, path, image.bytes);
        if (path === "-") return;
        const { used } = image;
        print(context.terminal, options, {
          json: () => ({ path, bytes: image.bytes.byteLength, scenes: used, skipped, attribution }),
          columns: ["file", "bytes", "scenes"],
          rows: [[path, image.bytes.byteLength, used.length]],
          notes: [
            used.length === 0 ? "No scene lies here in this time: the tile is empty." : attribution,
            skipped.length === 0 ? undefined : `Scenes that could not be read: ${skipped.join(", ")}.`,
          ],
        });
      }),
    );
}

function formatOf(path: string): ImageFormat {
  if (path === "-") return "png";
  const format = FORMATS[path.slice(path.lastIndexOf(".") + 1).toLowerCase()];
  if (format !== undefined) return format;
  throw new InvalidArgumentError(`--output: Expected a name that ends in .png, .jpg or .webp, got "${path}".`);
}
