import { join } from "node:path";
import type { Context } from "../context.ts";
import type { Exit } from "../failure.ts";
import type { Add } from "../options.ts";

/** A question that a command answers over the synthetic archive. */
interface Question {
  readonly text: string;
  readonly args: readonly string[];
  /** The truth of an invented country, which is known. */
  readonly truth: string;
}

const VALLEY = "12.2216,45.7282,12.2847,45.7723";
const CLEAR = ["--collection", "sentinel-2-l2a", "--exclude", "cloud,cloud_shadow"];

const questions = (folder: string): readonly Question[] => [
  {
    text: "Which clear scenes are there of a valley in May 2023?",
    args: ["search", "--bbox", VALLEY, "--time", "2023-05-01/2023-05-31", "--max-cloud", "10"],
    truth: "Sentinel-2 came every ten days, Landsat every eight.",
  },
  {
    text: "How did it look on 16 May?",
    args: ["tile", "true-color", "13", "4375", "2922", "--time", "2023-05-16", "-o", join(folder, "flood.png")],
    truth: "The river is over its banks.",
  },
  {
    text: "Which share of it was under water, by ten days?",
    args: ["stats", "--bbox", VALLEY, "--time", "2023-05-01/2023-05-30", "--every", "P10D"].concat(CLEAR, [
      "--expression",
      "green > nir08",
    ]),
    truth: "The mean is the share: 2 % before, 27 % in the flood, 5 % ten days later.",
  },
  {
    text: "How did a field of wheat grow in 2022?",
    args: ["series", "--lon", "12.2826", "--lat", "45.7587", "--time", "2022-03-20/2022-08-20"].concat(CLEAR, [
      "--index",
      "ndvi",
    ]),
    truth: "Green in May, ripe in July, harvested on the 24th. Rows without a value are under clouds.",
  },
  {
    text: "Three bands of the hill that burned in August 2022, for a GIS?",
    args: [
      "extract",
      "--bbox",
      "12.222,45.755,12.25,45.772",
      "--time",
      "2022-08-19",
      "--collection",
      "sentinel-2-l2a",
    ].concat([
      "--bands",
      "swir22,nir08,red",
      "--out-crs",
      "EPSG:32633",
      "--resolution",
      "10",
      "-o",
      join(folder, "fire.tif"),
    ]),
    truth: "171 ha burned on 11 August: bright in swir22, dark in nir08.",
  },
];

/** An argument as a shell takes it. */
const quoted = (text: string): string => (/^[\w./:,=@%+-]+$/.test(text) ? text : `'${text}'`);

/**
 * `swath demo`
 *
 * @param run carries out another command line.
 */
export function addDemo(add: Add, { warn }: Context, run: (args: readonly string[]) => Promise<Exit>): void {
  add(
    "demo [folder]",
    "answer five questions over the synthetic archive, and write an image and a GeoTIFF",
    [],
    async (options, folder = ".") => {
      const { data } = options;
      for (const [i, { text, args, truth }] of questions(folder).entries()) {
        warn(`\n${i + 1}. ${text}\n   swath ${args.map(quoted).join(" ")}\n\n`);
        const exit = await run([...(data === undefined ? [] : ["--data", data]), ...args]);
        if (exit !== 0) return false;
        warn(`${truth}\n`);
      }
      warn("\nOn a map: swath serve. Over a real archive: --catalog https://earth-search.aws.element84.com/v1\n");
      return true;
    },
  );
}
