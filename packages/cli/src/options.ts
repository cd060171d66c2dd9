import { readFile } from "node:fs/promises";
import type { AreaWhere, What, When } from "@swath/engine";
import { MaskClass, MosaickingOrder } from "@swath/schema";
import { type Command, InvalidArgumentError } from "commander";

/** A reader of an option's text. @throws {InvalidArgumentError} with what was expected. */
type Read<T> = (text: string) => T;

function demand<T>(value: T | undefined, expected: string): T {
  if (value === undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
  return value;
}
/** Reads a whole number. */
export const whole: Read<number> = (text) =>
  demand(/^\d{1,9}$/.test(text) ? Number(text) : undefined, `a whole number, got "${text}"`);
const count: Read<number> = (text) => demand(whole(text) || undefined, "a whole number of at least 1");
const number: Read<number> = (text) =>
  demand(/\d/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined, `a number, got "${text}"`);
const word: Read<string> = (text) => text;
const list: Read<string[]> = (text) => text.split(",").map((part) => part.trim());
const numbers: Read<number[]> = (text) => list(text).map(number);
const pair: Read<number[]> = (text) => {
  const [first = 0, second = first, ...more] = numbers(text);
  return demand(more.length === 0 ? [first, second] : undefined, "one number, or two that a comma separates");
};
function oneOf<T extends string>(...names: readonly T[]): Read<T> {
  return (text) =>
    demand(
      names.find((name) => name === text),
      `one of ${names.join(", ")}`,
    );
}
const maskClasses: Read<MaskClass[]> = (text) => list(text).map(oneOf(...MaskClass.options));

/** Options: their flags, what they are, and how their text is read. */
const FLAGS = {
  catalog: ["--catalog <[name=]url>", "STAC API to ask, such as https://earth-search.aws.element84.com/v1", word],
  archive: ["--archive <folder>", "folder of GeoTIFFs to ask; default: a synthetic archive, made at first", word],
  data: ["--data <folder>", "folder for indexes and the synthetic archive (SWATH_DATA_DIR)", word],
  threads: ["--threads <count>", "render threads; default: one for each core", count],
  json: ["--json", "print JSON"],
  csv: ["--csv", "print CSV, where the result is a table"],
  output: ["-o, --output <file>", "file to write; - for standard output", word],
  bbox: ["--bbox <w,s,e,n>", "area as a box", numbers],
  area: ["--area <file>", "area as the geometry of a GeoJSON file", word],
  crs: ["--crs <name>", "CRS of --bbox and --area; default: longitude and latitude", word],
  outCrs: ["--out-crs <name>", "CRS of the file; default: EPSG:3857", word],
  size: ["--size <width,height>", "pixels", pair],
  resolution: ["--resolution <x,y>", "pixel width and height, instead of --size", pair],
  collection: ["--collection <ids>", "ids or aliases of collections", list],
  time: ["--time <from/to>", "days or RFC 3339 instants", word],
  ids: ["--ids <ids>", "ids of items", list],
  maxCloud: ["--max-cloud <percent>", "leave out scenes of more cloud", number],
  order: ["--order <order>", MosaickingOrder.options.join(", "), oneOf(...MosaickingOrder.options)],
  filter: ["--filter <cql2>", "condition in CQL2 text, such as 'eo:cloud_cover < 10'", word],
  sort: ["--sort <fields>", "such as -properties.datetime,+id", word],
  limit: ["--limit <count>", "scenes at most; default: 10", count],
  set: ["--set <id>", "tile matrix set; default: WebMercatorQuad", word],
  bands: ["--bands <names>", "common or native names of bands", list],
  index: ["--index <id>", "index of the schema, such as ndvi", word],
  expression: ["--expression <text>", "band math, such as '(nir08 - red) / (nir08 + red)'", word],
  units: ["--units <unit>", "REFLECTANCE, KELVIN, DN ...", word],
  harmonize: ["--harmonize <level>", "level of harmonization", word],
  exclude: ["--exclude <classes>", "mask classes to drop, such as cloud,cloud_shadow", maskClasses],
  every: ["--every <duration>", "ISO 8601 duration of an interval, such as P1M; default: all of --time", word],
  percentiles: ["--percentiles <percents>", "such as 10,50,90", numbers],
  reducer: ["--reducer <name>", "how a polygon becomes one value", oneOf("mean", "median", "min", "max")],
  sampleType: ["--sample-type <type>", "of the file", oneOf("AUTO", "UINT16", "INT16", "FLOAT32")],
  lon: ["--lon <degrees>", "longitude of a point, instead of --area", number],
  lat: ["--lat <degrees>", "latitude of a point", number],
  full: ["--full", "look at the bytes around every block, not at some"],
  port: ["--port <number>", "default: 8080", word],
  host: ["--host <address>", "default: 127.0.0.1", word],
} as const satisfies Readonly<Record<string, readonly [flags: string, what: string, read?: Read<unknown>]>>;

/** Name of an option. */
export type OptionName = keyof typeof FLAGS;
type ValueOf<F> = F extends readonly [string, string, Read<infer T>] ? T : true;
/** Options as they were given. */
export type Options = { readonly [K in OptionName]?: ValueOf<(typeof FLAGS)[K]> };

/** Gives a command some of the options. */
export function addOptions(command: Command, names: readonly OptionName[]): Command {
  for (const name of names) {
    const [flags, what, read]: readonly [string, string, Read<unknown>?] = FLAGS[name];
    if (read === undefined) command.option(flags, what);
    else command.option(flags, what, read);
  }
  return command;
}

/** Reads the area, the time and the bands of a request from options. */
export async function requestOf(options: Options): Promise<{ where: AreaWhere; when: When; what: What }> {
  const { bbox, area, crs, size: [width, height] = [], resolution: [resx, resy] = [] } = options;
  const { collection: collections, time, every, ids, maxCloud: maxCloudCover, order } = options;
  const { bands, index, expression, units, harmonize, exclude } = options;
  const geometry = area === undefined ? undefined : await readGeometry(area);
  return {
    where: { kind: "area", bbox, geometry, crs, frame: { crs: options.outCrs, width, height, resx, resy } },
    when: { collections, time, every, ids, maxCloudCover, order },
    what: { bands, index, expression, units, harmonize, mask: exclude === undefined ? undefined : { exclude } },
  };
}

/** The geometry of a GeoJSON file: itself, that of its feature, or that of the only feature in it. */
export async function readGeometry(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((error: Error) => {
    throw new InvalidArgumentError(
      `--area: ${file} cannot be read: ${error.message.replace(/^\w+: |, open .*$/g, "")}.`,
    );
  });
  let document: { geometry?: unknown; features?: { geometry?: unknown }[] } | null;
  try {
    // Excel, PowerShell and some GIS write a byte order mark
    document = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    throw new InvalidArgumentError(`--area: Expected ${file} to be GeoJSON.`);
  }
  const { features = [document], geometry } = document ?? {};
  if (features.length !== 1) throw new InvalidArgumentError(`--area: Expected one feature, got ${features.length}.`);
  return geometry ?? features[0]?.geometry ?? document;
}

/** Carries out a command; `false` means that it has done what it should and the answer is no. */
type Action = (options: Options, ...args: string[]) => Promise<unknown>;
/** Adds a command. `usage` is its name and its arguments. */
export type Add = (usage: string, description: string, options: readonly OptionName[], action: Action) => void;
