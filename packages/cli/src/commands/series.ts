import { type SeriesRequest, seriesCsv, skippedDetail } from "@swath/engine";
import { computeTimeseries } from "@swath/engine/node";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Context, Run } from "../main.ts";
import {
  addProduct,
  addScenes,
  type CommonOptions,
  number,
  type ProductOptions,
  readGeometry,
  type SceneOptions,
  whatOf,
  whenOf,
} from "../options.ts";
import { Progress, print } from "../print.ts";
import { withEngine } from "../with-engine.ts";

interface SeriesOptions extends CommonOptions, SceneOptions, ProductOptions {
  readonly lon?: number;
  readonly lat?: number;
  readonly area?: string;
  readonly reducer?: SeriesRequest["into"]["reducer"];
}

/** `swath series` */
export function addSeries(program: Command, context: Context, run: Run): void {
  addProduct(addScenes(program.command("series")))
    .description("values of an index at a point or in a polygon, one for each overpass")
    .option("--lon <degrees>", "longitude of the point", number)
    .option("--lat <degrees>", "latitude of the point", number)
    .option("--area <file>", "GeoJSON polygon, instead of a point")
    .addOption(
      new Option("--reducer <name>", "how a polygon becomes one value").choices(["mean", "median", "min", "max"]),
    )
    .action((_: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<SeriesOptions>();
        const { maxCloudCover, collections } = whenOf(options);
        const request: SeriesRequest = {
          where: await placeOf(options),
          when: { collections, maxCloudCover, time: options.time },
          what: whatOf(options),
          into: { kind: "overpasses", reducer: options.reducer },
        };
        const { terminal, signal } = context;
        const progress = new Progress(terminal, "Reading scenes");
        const { observations, spec, attribution, undetectable } = await withEngine(context, options, (parts) => {
          progress.show();
          return computeTimeseries(parts, request, { signal, admit: async () => {}, place: "body" });
        }).finally(() => progress.end());
        const { index, expression, harmonize, unit, bandUnits } = spec.measures;
        print(terminal, options, {
          json: () => ({
            index,
            expression,
            harmonize,
            unit,
            bandUnits,
            series: observations,
            attribution,
            undetectable,
          }),
          csv: () => seriesCsv(observations),
          columns: ["datetime", "value", "valid", "platform", "id"],
          rows: observations.map(({ datetime, value, validFraction, platform, itemId }) => {
            return [datetime, value, validFraction, platform, itemId];
          }),
          notes: [
            observations.length === 0 ? "No scene matches." : undefined,
            ...attribution,
            ...observations.map(({ skipped }) => skippedDetail(skipped)),
          ],
        });
      }),
    );
}

async function placeOf({ lon, lat, area }: SeriesOptions): Promise<SeriesRequest["where"]> {
  if (area !== undefined) return { kind: "area", geometry: await readGeometry(area) };
  if (lon === undefined || lat === undefined)
    throw new InvalidArgumentError("--lon and --lat: Expected both, or --area.");
  return { kind: "point", lon, lat };
}
