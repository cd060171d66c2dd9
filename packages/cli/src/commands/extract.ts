import { copyFile, readFile, stat } from "node:fs/promises";
import type { ExtractionRequest, GeoTiffInto } from "@swath/engine";
import { readProcess, runProcess } from "@swath/engine/node";
import { type Command, Option } from "commander";
import type { Context, Run } from "../main.ts";
import type { OpenedEngine } from "../open-engine.ts";
import {
  type AreaOptions,
  addArea,
  addScenes,
  type CommonOptions,
  list,
  type ProductOptions,
  type SceneOptions,
  whatOf,
  whenOf,
  whereOf,
} from "../options.ts";
import { Progress, print } from "../print.ts";
import { withEngine } from "../with-engine.ts";
import { outputOf, writeOutput } from "../write-output.ts";

interface ExtractOptions extends CommonOptions, AreaOptions, SceneOptions, ProductOptions {
  readonly output?: string;
  readonly outCrs?: string;
  readonly ids?: string[];
  readonly sampleType?: GeoTiffInto["sampleType"];
}

/** `swath extract` */
export function addExtract(program: Command, context: Context, run: Run): void {
  addScenes(addArea(program.command("extract")))
    .description("write an area as a Cloud-Optimized GeoTIFF")
    .option("--ids <ids>", "ids of items, first on top, instead of --time", list)
    .option("--bands <names>", "common or native names; default: the bands that the scenes have", list)
    .option("--units <unit>", "REFLECTANCE, KELVIN, DN ...")
    .option("--harmonize <level>", "level of harmonization")
    .option("--out-crs <name>", "CRS of the file; default: EPSG:3857")
    .addOption(new Option("--sample-type <type>", "of the file").choices(["AUTO", "UINT16", "INT16", "FLOAT32"]))
    .option("-o, --output <file>", "default: COLLECTION_DATE.tif; - for standard output")
    .action((_: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<ExtractOptions>();
        const { ids, sampleType, outCrs } = options;
        const request: ExtractionRequest = {
          where: await whereOf(options, outCrs),
          when: { ...whenOf(options), ids },
          what: whatOf(options),
          into: { kind: "geotiff", sampleType, caps: "job" },
        };
        await withEngine(context, options, (parts) => write(parts, request, options, context));
      }),
    );
}

async function write(
  parts: OpenedEngine["parts"],
  request: ExtractionRequest,
  options: ExtractOptions,
  context: Context,
): Promise<void> {
  const { terminal, signal } = context;
  const progress = new Progress(terminal, "Reading scenes");
  progress.show();
  const onProgress = (done: number): void => progress.show(done);
  const result = await runProcess(parts, readProcess(request, parts.registry), { signal, onProgress }).finally(() =>
    progress.end(),
  );
  const { plan, skipped } = result;
  const path = outputOf(options, plan.filename);
  if (path === "-") return writeOutput(context, path, await readFile(result.path));
  await copyFile(result.path, path);
  const bytes = (await stat(path)).size;
  const { grid, bands, attribution, units, sampleType } = plan.job;
  const scenes = plan.items.map(({ id }) => id);
  print(terminal, options, {
    json: () => ({
      path,
      bytes,
      width: grid.width,
      height: grid.height,
      bands,
      units,
      sampleType,
      scenes,
      skipped,
      attribution,
    }),
    columns: ["file", "bytes", "width", "height", "bands", "units", "scenes"],
    rows: [[path, bytes, grid.width, grid.height, bands.join(" "), units, scenes.length]],
    notes: [attribution, skipped.length === 0 ? undefined : `Scenes that could not be read: ${skipped.join(", ")}.`],
  });
}
