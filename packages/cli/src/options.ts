import { readFile } from "node:fs/promises";
import type { AreaWhere, What, When } from "@swath/engine";
import { findInstant } from "@swath/query";
import { MaskClass, MosaickingOrder } from "@swath/schema";
import { type Command, InvalidArgumentError } from "commander";

/** Options of the program, which every command takes. */
export interface CommonOptions {
  readonly catalog?: string;
  readonly archive?: string;
  readonly data?: string;
  readonly threads?: number;
  readonly json?: true;
  readonly csv?: true;
}

/** Reads a whole number of at least 1. */
export function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number of at least 1.");
}

/** Reads a whole number of at least 0. */
export function whole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("Expected a whole number.");
}

/** Reads a number. */
export function number(text: string): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError("Expected a number.");
}

/** Reads values that commas separate. */
export const list = (text: string): string[] => text.split(",").map((part) => part.trim());
/** Reads numbers that commas separate. */
export const numbers = (text: string): number[] => list(text).map(number);

/** Reads `width,height` or one number for both. */
export function pair(text: string): readonly [number, number] {
  const [first = Number.NaN, second = first, ...more] = numbers(text);
  if (more.length === 0) return [first, second];
  throw new InvalidArgumentError("Expected one number, or two that a comma separates.");
}

function maskClasses(text: string): MaskClass[] {
  return list(text).map((name) => {
    const parsed = MaskClass.safeParse(name);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(`Expected some of ${MaskClass.options.join(", ")}.`);
  });
}

function order(text: string): MosaickingOrder {
  const parsed = MosaickingOrder.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`Expected one of ${MosaickingOrder.options.join(", ")}.`);
}

/** Options of commands on an area. */
export interface AreaOptions {
  readonly bbox?: number[];
  readonly area?: string;
  readonly crs?: string;
  readonly size?: readonly [number, number];
  readonly resolution?: readonly [number, number];
}

export const addArea = (command: Command): Command =>
  command
    .option("--bbox <w,s,e,n>", "area as a box", numbers)
    .option("--area <file>", "area as a GeoJSON polygon, or a feature of one")
    .option("--crs <name>", "CRS of --bbox and --area; default: longitude and latitude")
    .option("--size <width,height>", "pixels", pair)
    .option("--resolution <x,y>", "pixel width and height, instead of --size", pair);

/** The area that options name; its pixels as `crs` of the frame says. */
export async function whereOf(options: AreaOptions, frameCrs?: string): Promise<AreaWhere> {
  const { bbox, area, crs, size: [width, height] = [], resolution: [resx, resy] = [] } = options;
  const geometry = area === undefined ? undefined : await readGeometry(area);
  return { kind: "area", bbox, geometry, crs, frame: { crs: frameCrs, width, height, resx, resy } };
}

/** The geometry of a GeoJSON file: itself, that of its feature, or that of the only feature in it. */
export async function readGeometry(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8");
  let document: { geometry?: unknown; features?: readonly { geometry?: unknown }[] } | null;
  try {
    document = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`${file} is no JSON: ${(error as Error).message}.`);
  }
  const { features, geometry = document } = document ?? {};
  if (features === undefined) return geometry;
  if (features.length === 1) return features[0]?.geometry;
  throw new InvalidArgumentError(`${file} has ${features.length} features: expected one.`);
}

/** Options of commands on scenes. */
export interface SceneOptions {
  readonly collection?: string[];
  readonly time?: string;
  readonly maxCloud?: number;
  readonly order?: MosaickingOrder;
}

export const addScenes = (command: Command): Command =>
  command
    .option("--collection <ids>", "ids or aliases of collections", list)
    .option("--time <from/to>", "days or RFC 3339 instants; an end may be open: 2024-01-01/..")
    .option("--max-cloud <percent>", "leave out scenes of more cloud", number)
    .option("--order <order>", `which scene lies on top: ${MosaickingOrder.options.join(", ")}`, order);

export const whenOf = ({ collection, time, maxCloud, order: onTop }: SceneOptions): When => ({
  collections: collection,
  time: time === undefined ? undefined : rangeOf(time),
  maxCloudCover: maxCloud,
  order: onTop,
});

/** Ends of a range; days alone are whole days. What is no range is left to the engine, which says so. */
function rangeOf(text: string): When["time"] {
  const [from = "", to = "", ...more] = text.split("/");
  const start = /^\d{4}-\d{2}-\d{2}$/.test(from) ? `${from}T00:00:00Z` : from;
  const end = /^\d{4}-\d{2}-\d{2}$/.test(to) ? `${to}T23:59:59.999Z` : to;
  const isRange = more.length === 0 && findInstant(start) !== undefined && findInstant(end) !== undefined;
  return isRange ? { from: start, to: end } : text;
}

/** Options of what is computed of each pixel. */
export interface ProductOptions {
  readonly bands?: string[];
  readonly index?: string;
  readonly expression?: string;
  readonly units?: string;
  readonly harmonize?: string;
  readonly exclude?: MaskClass[];
}

export const addProduct = (command: Command): Command =>
  command
    .option("--index <id>", "index of the schema, such as ndvi")
    .option("--expression <text>", "band math, such as '(nir08 - red) / (nir08 + red)'")
    .option("--harmonize <level>", "level of harmonization")
    .option("--exclude <classes>", "mask classes to drop, such as cloud,cloud_shadow", maskClasses);

export const whatOf = ({ bands, index, expression, units, harmonize, exclude }: ProductOptions): What => ({
  bands,
  index,
  expression,
  units,
  harmonize,
  mask: exclude === undefined ? undefined : { exclude },
});
