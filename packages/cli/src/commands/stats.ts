import { type StatisticsRow, statisticsCsv, statisticsRows } from "@swath/engine";
import { computeStatistics } from "@swath/engine/node";
import type { Command } from "commander";
import type { Context, Run } from "../main.ts";
import {
  type AreaOptions,
  addArea,
  addProduct,
  addScenes,
  type CommonOptions,
  list,
  numbers,
  type ProductOptions,
  type SceneOptions,
  whatOf,
  whenOf,
  whereOf,
} from "../options.ts";
import { Progress, print } from "../print.ts";
import { withEngine } from "../with-engine.ts";

interface StatsOptions extends CommonOptions, AreaOptions, SceneOptions, ProductOptions {
  readonly every?: string;
  readonly percentiles?: number[];
}

/** `swath stats` */
export function addStats(program: Command, context: Context, run: Run): void {
  addProduct(addScenes(addArea(program.command("stats"))))
    .description("statistics of an area, one row for each interval")
    .option("--bands <names>", "common or native names of bands", list)
    .option("--units <unit>", "REFLECTANCE, KELVIN, DN ...")
    .option("--every <duration>", "ISO 8601 duration, such as P1M; default: all of --time")
    .option("--percentiles <percents>", "such as 10,50,90", numbers)
    .action((_: unknown, command: Command) =>
      run(async () => {
        const options = command.optsWithGlobals<StatsOptions>();
        const { every, percentiles } = options;
        const calculations = percentiles === undefined ? undefined : { default: { percentiles } };
        const request = {
          where: await whereOf(options),
          when: { ...whenOf(options), every },
          what: whatOf(options),
          into: { kind: "intervals", calculations },
        } as const;
        const { terminal, signal } = context;
        const progress = new Progress(terminal, "Reading scenes");
        const statistics = await withEngine(context, options, (parts) => {
          progress.show();
          return computeStatistics(parts, request, { signal, admit: async () => {} });
        }).finally(() => progress.end());
        const { units, bandUnits, attribution, undetectable, sampledAt } = statistics;
        const rows = statisticsRows(statistics, { calculations });
        print(terminal, options, {
          json: () => ({ data: rows, units, bandUnits, attribution, undetectable, sampledAt }),
          csv: () => statisticsCsv(rows),
          columns: ["from", "to", "output", "mean", "min", "max", "stDev", "valid", "of"],
          rows: rows.flatMap(tableRows),
          notes: [
            ...attribution,
            ...rows.flatMap(({ skipped }) => skipped.map(({ id, reason }) => `${id}: ${reason}`)),
          ],
        });
      }),
    );
}

const tableRows = ({ interval: { from, to }, outputs }: StatisticsRow) =>
  Object.entries(outputs).map(([name, { stats }]) => {
    const { mean, min, max, stDev, sampleCount, noDataCount } = stats;
    return [from.slice(0, 10), to.slice(0, 10), name, mean, min, max, stDev, sampleCount - noDataCount, sampleCount];
  });
