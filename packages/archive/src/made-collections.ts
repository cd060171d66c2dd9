import type { Unit } from "@swath/schema";
import type { CollectionFile } from "@swath/schema/files";
import { counted } from "./counted.ts";
import type { NamedTime } from "./folder/dates-in-paths.ts";
import type { HeaderFacts } from "./headers/header-facts.ts";
import type { FileValues } from "./headers/read-values.ts";
import { type FilePlace, hashedId, itemId } from "./items/file-items.ts";
import { MAX_TILE_PIXELS } from "./limits.ts";
import { ARCHIVE } from "./name.ts";

const MAX_COLLECTION_ID = 64;

/**
 * The collection of files that nothing describes: one for each folder at the top, and one for the files beside them. A name
 * of other letters than a to z has a hash behind what is left of it.
 */
export function madeCollectionId(path: string, root: string): string {
  const [top = "", ...rest] = path.split("/");
  const name = (rest.length === 0 ? root : top).toLowerCase();
  const plain = name.replace(/[^a-z0-9._-]+/g, "-").replace(/^[^a-z0-9]+/, "");
  if (/^[a-z0-9][ a-z0-9._-]*$/.test(name) && plain.length <= MAX_COLLECTION_ID) return plain;
  return hashedId((plain || "files").slice(0, MAX_COLLECTION_ID - HASH_PART), name);
}

/** Characters of a hash and the line before it. */
const HASH_PART = 9;

/** Files of one collection have the same of this. */
export function signatureOf({ bands, sampleType, nodata }: HeaderFacts): string {
  return JSON.stringify([bandNames({ bands }), sampleType, nodata ?? null]);
}

/** Says what a file holds, in words. */
export function shapeInWords({ bands, sampleType, nodata }: HeaderFacts): string {
  const names = bandNames({ bands });
  return `${counted(names.length, "band")} (${names.slice(0, 8).join(", ")}) of ${sampleType}, nodata ${nodata ?? "none"}`;
}

/** The descriptions of bands where each has one of its own that can be a name, else b1, b2 ... */
function bandNames({ bands }: Pick<HeaderFacts, "bands">): readonly string[] {
  const names = bands.map(({ name }) => name ?? "");
  const areNames = names.every((name) => /^[A-Za-z][\w-]{0,62}$/.test(name)) && new Set(names).size === names.length;
  return areNames ? names : bands.map((_, i) => `b${i + 1}`);
}

/**
 * Returns the place of a file in such a collection: each file is an item.
 *
 * @param taken ids of the files before it, which it adds its own to.
 */
export function madePlace(
  collection: CollectionFile,
  path: string,
  time: NamedTime | undefined,
  taken: Set<string>,
): FilePlace {
  const plain = itemId(path.replace(/\.tiff?$/i, ""));
  const id = taken.has(plain) ? hashedId(plain, path) : plain;
  taken.add(id);
  return { collection, id, asset: "data", ...(time === undefined ? {} : { time }), properties: {} };
}

/** Smallest and largest stored value that a type of samples is drawn between where its values are not known. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = {
  uint8: [0, 255],
  uint16: [0, 65_535],
  int16: [-32_768, 32_767],
};
/** Edge of a tile in pixels, and metres of one of them of EPSG:3857 at zoom 0. */
const TILE_SIZE = 256;
const ZOOM_0_METRES = (2 * Math.PI * 6_378_137) / TILE_SIZE;
const MAX_ZOOM = 24;
/** Ground sizes of pixels are rounded. */
const ROUNDING = 1.001;
/** Units as files write them, in lower case. */
const UNITS: Readonly<Record<string, Unit>> = {
  m: "METERS",
  metre: "METERS",
  metres: "METERS",
  meter: "METERS",
  meters: "METERS",
  k: "KELVIN",
  kelvin: "KELVIN",
  "°c": "CELSIUS",
  c: "CELSIUS",
  celsius: "CELSIUS",
  db: "DB",
  "°": "DEGREES",
  degree: "DEGREES",
  degrees: "DEGREES",
};

/** Facts about all files of a collection that is made of them. */
export interface MadeFiles {
  /** Ground size of the smallest pixel, metres. */
  readonly gsd: number;
  /** Ground size of the smallest pixel of their coarsest levels, metres. */
  readonly coarseGsd: number;
  /** Pixels of the coarsest levels of as many files as one tile is drawn of at most, the largest. */
  readonly coarsePixels: number;
  /** The first acquisition, RFC 3339; absent: none before 1970. */
  readonly start?: string | undefined;
}

/** The bands of an image, from 0: red, green and blue, or the first one. */
function shownBands(header: HeaderFacts): readonly number[] {
  return colorsOf(header) ?? [dataBands(header)[0] ?? 0];
}

/** The bands between whose values an image is drawn, from 0; none of colours of bytes, which are drawn as they are. */
export function stretchedBands(header: HeaderFacts): readonly number[] {
  return colorsOf(header) !== undefined && header.sampleType === "uint8" ? [] : shownBands(header);
}

/** The bands, from 0, that are data: an alpha band says which pixels are, and is none itself. */
export function dataBands({ bands }: HeaderFacts): readonly number[] {
  const all = bands.map((_, i) => i);
  const data = all.filter((i) => bands[i]?.color !== "alpha");
  return data.length === 0 ? all : data;
}

/** The bands that are red, green and blue: those that the file says, else the three of a file of bytes. */
function colorsOf(header: HeaderFacts): readonly number[] | undefined {
  const { bands, sampleType } = header;
  const said = ["red", "green", "blue"].map((color) => bands.findIndex((band) => band.color === color));
  if (said.every((at) => at >= 0)) return said;
  const data = dataBands(header);
  return sampleType === "uint8" && data.length === 3 ? data : undefined;
}

/** The deepest zoom: the first whose pixels at the equator are no larger than the files' own. */
function deepestZoom(gsd: number): number {
  const zoom = Math.ceil(Math.log2(ZOOM_0_METRES / (gsd * ROUNDING)));
  return Math.max(0, Math.min(MAX_ZOOM, zoom));
}

/**
 * The lowest zoom: 0 where the coarsest levels of the files of one tile have no more than {@link MAX_TILE_PIXELS} together; else the
 * first whose tiles cover no more than that many of their pixels.
 */
function lowestZoom({ coarseGsd, coarsePixels }: MadeFiles): number {
  if (coarsePixels <= MAX_TILE_PIXELS) return 0;
  const edge = TILE_SIZE * (ZOOM_0_METRES / coarseGsd);
  return Math.max(0, Math.ceil(Math.log2(edge / Math.sqrt(MAX_TILE_PIXELS))));
}

/**
 * A collection of files that nothing describes: values as they are stored, in the bands that the header has. Red, green and
 * blue are drawn as colours, of other files the first band.
 *
 * @param header of its first file.
 * @param values low and high values of the bands that are stretched, and values of the bands that are data in some pixels, where they
 *   are known.
 */
export function madeCollection(
  id: string,
  title: string,
  header: HeaderFacts,
  files: MadeFiles,
  { stretch, pixels }: FileValues,
): CollectionFile {
  const names = bandNames(header);
  const { start = "1970-01-01T00:00:00Z" } = files;
  const max = deepestZoom(files.gsd);
  const zoom = { min: Math.min(lowestZoom(files), max), max };
  const zooms = { minzoom: zoom.min, maxzoom: zoom.max };
  const preset = colorsOf(header) === undefined ? "stored-values" : "true-color";
  const assets = shownBands(header).map((at) => names[at] as string);
  const rescale = [...(stretch ?? RANGES[header.sampleType] ?? [0, 1])];
  return {
    id,
    title,
    description: `Files of the folder ${title}, with the values that are stored in them.`,
    license: "other",
    licenseLink: { href: "https://spdx.org/licenses/", title: "Not stated", type: "text/html" },
    providers: [],
    attribution: title,
    start,
    defaultTime: "all",
    upstream: {
      name: ARCHIVE,
      collection: id,
      absentProperties: ["eo:cloud_cover"],
      filesSayNodata: true,
      assets: { data: "data" },
    },
    bands: dataBands(header).map((i, place) => ({
      name: names[i] as string,
      asset: "data",
      index: i + 1,
      kind: "ancillary",
      description: `Band ${i + 1} as it is stored`,
      gsd: header.gsd,
      dataType: header.sampleType as CollectionFile["bands"][number]["dataType"],
      scale: 1,
      offset: 0,
      nodata: typeof header.nodata === "number" ? header.nodata : null,
      unit: UNITS[header.bands[i]?.unit?.toLowerCase() ?? ""] ?? "DN",
      ...(pixels.length < 2 ? {} : { usual: pixels.map((values) => values[place] ?? 0) }),
    })),
    pseudoBands: ["dataMask"],
    units: ["DN"],
    processUnits: ["DN"],
    defaultUnits: "DN",
    harmonize: { default: "none", levels: { none: "Values as they are stored." } },
    zoom,
    recipes: { [preset]: { assets, rescale, ...zooms } },
  };
}
