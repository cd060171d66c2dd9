import { readFile } from "node:fs/promises";
import type { AreaWhere, OverpassesInto, What, When } from "@swath/engine";
import { findInstant } from "@swath/query";
import { MaskClass, MosaickingOrder } from "@swath/schema";
import { type Command, InvalidArgumentError } from "commander";

/** Options of all commands; each takes some of them. */
export interface Options {
  readonly catalog?: string;
  readonly archive?: string;
  readonly data?: string;
  readonly threads?: number;
  readonly json?: true;
  readonly csv?: true;
  readonly output?: string;
  readonly bbox?: number[];
  readonly area?: string;
  readonly crs?: string;
  readonly outCrs?: string;
  readonly size?: readonly number[];
  readonly resolution?: readonly number[];
  readonly collection?: string[];
  readonly time?: string;
  readonly ids?: string[];
  readonly maxCloud?: number;
  readonly order?: MosaickingOrder;
  readonly bands?: string[];
  readonly index?: string;
  readonly expression?: string;
  readonly units?: string;
  readonly harmonize?: string;
  readonly exclude?: MaskClass[];
  readonly every?: string;
  readonly percentiles?: number[];
  readonly reducer?: OverpassesInto["reducer"];
  readonly sampleType?: "AUTO" | "UINT16" | "INT16" | "FLOAT32";
  readonly lon?: number;
  readonly lat?: number;
}

/** A reader of an option's text. @throws {InvalidArgumentError} with what was expected. */
type Read<T> = (text: string) => T;

const expect = <T>(value: T | undefined, expected: string): T => {
  if (value === undefined) throw new InvalidArgumentError(`Expected ${expected}.`);
  return value;
};
/** Reads a whole number. */
export const whole: Read<number> = (text) =>
  expect(/^\d{1,9}$/.test(text) ? Number(text) : undefined, "a whole number");
const number: Read<number> = (text) =>
  expect(/\d/.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined, "a number");
const list: Read<string[]> = (text) => text.split(",").map((part) => part.trim());
const numbers: Read<number[]> = (text) => list(text).map(number);
const pair: Read<number[]> = (text) => {
  const [first = 0, second = first, ...more] = numbers(text);
  return expect(more.length === 0 ? [first, second] : undefined, "one number, or two that a comma separates");
};
const oneOf =
  <T extends string>(names: readonly T[]): Read<T> =>
  (text) =>
    expect(
      names.find((name) => name === text),
      `one of ${names.join(", ")}`,
    );
const someOf =
  <T extends string>(names: readonly T[]): Read<T[]> =>
  (text) =>
    list(text).map(oneOf(names));

/** Flags, what they are, and how their text is read. */
const FLAGS = {
  output: ["-o, --output <file>", "file to write; - for standard output"],
  bbox: ["--bbox <w,s,e,n>", "area as a box", numbers],
  area: ["--area <file>", "area as the geometry of a GeoJSON file"],
  crs: ["--crs <name>", "CRS of --bbox and --area; default: longitude and latitude"],
  outCrs: ["--out-crs <name>", "CRS of the file; default: EPSG:3857"],
  size: ["--size <width,height>", "pixels", pair],
  resolution: ["--resolution <x,y>", "pixel width and height, instead of --size", pair],
  collection: ["--collection <ids>", "ids or aliases of collections", list],
  time: ["--time <from/to>", "days or RFC 3339 instants"],
  ids: ["--ids <ids>", "ids of items", list],
  maxCloud: ["--max-cloud <percent>", "leave out scenes of more cloud", number],
  order: ["--order <order>", MosaickingOrder.options.join(", "), oneOf(MosaickingOrder.options)],
  bands: ["--bands <names>", "common or native names of bands", list],
  index: ["--index <id>", "index of the schema, such as ndvi"],
  expression: ["--expression <text>", "band math, such as '(nir08 - red) / (nir08 + red)'"],
  units: ["--units <unit>", "REFLECTANCE, KELVIN, DN ..."],
  harmonize: ["--harmonize <level>", "level of harmonization"],
  exclude: ["--exclude <classes>", "mask classes to drop, such as cloud,cloud_shadow", someOf(MaskClass.options)],
  every: ["--every <duration>", "ISO 8601 duration of an interval, such as P1M; default: all of --time"],
  percentiles: ["--percentiles <percents>", "such as 10,50,90", numbers],
  reducer: ["--reducer <name>", "how a polygon becomes one value", oneOf(["mean", "median", "min", "max"])],
  sampleType: ["--sample-type <type>", "of the file", oneOf(["AUTO", "UINT16", "INT16", "FLOAT32"])],
  lon: ["--lon <degrees>", "longitude of a point, instead of --area", number],
  lat: ["--lat <degrees>", "latitude of a point", number],
} as const satisfies Partial<Record<keyof Options, readonly [string, string, Read<unknown>?]>>;

/** Gives a command some of the options. */
export function addOptions(command: Command, names: readonly (keyof typeof FLAGS)[]): Command {
  for (const name of names) {
    const [flags, description, read] = FLAGS[name] as readonly [string, string, Read<unknown>?];
    if (read === undefined) command.option(flags, description);
    else command.option(flags, description, read);
  }
  return command;
}

/** What options say of the place, the time and the bands of a request. */
export async function requestOf(options: Options): Promise<{ where: AreaWhere; when: When; what: What }> {
  const { bbox, area, crs, size: [width, height] = [], resolution: [resx, resy] = [] } = options;
  const geometry = area === undefined ? undefined : await readGeometry(area);
  const { collection: collections, time, every, ids, maxCloud: maxCloudCover, order } = options;
  const { bands, index, expression, units, harmonize, exclude } = options;
  return {
    where: { kind: "area", bbox, geometry, crs, frame: { crs: options.outCrs, width, height, resx, resy } },
    when: { collections, time: time === undefined ? undefined : rangeOf(time), every, ids, maxCloudCover, order },
    what: { bands, index, expression, units, harmonize, mask: exclude === undefined ? undefined : { exclude } },
  };
}

/** The geometry of a GeoJSON file: itself, that of its feature, or that of the only feature in it. */
export async function readGeometry(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  try {
    const { features, ...document } = JSON.parse(text);
    if (features !== undefined)
      return expect(features.length === 1 ? features[0].geometry : undefined, `${file} to have one feature`);
    return document.geometry ?? document;
  } catch (error) {
    throw error instanceof InvalidArgumentError ? error : new InvalidArgumentError(`Expected ${file} to be GeoJSON.`);
  }
}

/** Ends of a range; days alone are whole days. What is no range is left to the engine, which says so. */
function rangeOf(text: string): When["time"] {
  const [from = "", to = "", ...more] = text.split("/");
  const isDay = (end: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(end);
  const [start, end] = [isDay(from) ? `${from}T00:00:00Z` : from, isDay(to) ? `${to}T23:59:59.999Z` : to];
  const isRange = more.length === 0 && findInstant(start) !== undefined && findInstant(end) !== undefined;
  return isRange ? { from: start, to: end } : text;
}
