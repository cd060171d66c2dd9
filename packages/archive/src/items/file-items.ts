import { createHash } from "node:crypto";
import type { CollectionFile, FilesRule } from "@swath/schema/files";
import type { NamedTime } from "../folder/dates-in-paths.ts";
import { fileDate } from "../folder/file-date.ts";
import type { Json } from "../folder/read-json.ts";
import type { HeaderFacts } from "../headers/header-facts.ts";
import { fillTemplate, matchPath, templateNames } from "./match-path.ts";

/** The item and asset that a file belongs to. */
export interface FilePlace {
  readonly collection: CollectionFile;
  readonly id: string;
  /** Key of the asset, as items of the upstream have it. */
  readonly asset: string;
  /** Absent: the file says it. */
  readonly time?: NamedTime;
  readonly properties: Json;
}

/** A file of an item. */
export interface PlacedFile {
  readonly path: string;
  /** Milliseconds since 1970. */
  readonly mtimeMs: number;
  readonly stamp: string;
  readonly place: FilePlace;
  readonly header: HeaderFacts;
}

/** Ids of items, which are segments of paths. */
const MAX_ID = 128;
const ASSET = "data";

/** The first rule of the collections that a path fits. */
export function placeOf(path: string, collections: readonly CollectionFile[]): FilePlace | undefined {
  for (const collection of collections) {
    for (const rule of collection.upstream.files ?? []) {
      const names = assetNames(collection);
      const accepts = (name: string, text: string): boolean => name !== "band" || names.has(text);
      const found = matchPath(rule.path, path, accepts);
      if (found !== undefined) return toPlace(collection, rule, found, names);
    }
  }
  return undefined;
}

function toPlace(
  collection: CollectionFile,
  rule: FilesRule,
  found: Readonly<Record<string, string>>,
  names: ReadonlyMap<string, string>,
): FilePlace | undefined {
  const { band, date } = found;
  const parts = templateNames(rule.path).flatMap((name) => (name === "band" ? [] : (found[name] ?? [])));
  const id = itemId(rule.id === undefined ? parts.join("_") : fillTemplate(rule.id, found));
  if (id === "") return undefined;
  const written = rule.datetime === undefined ? undefined : fillTemplate(rule.datetime, found);
  const datetime = written ?? (date === undefined ? undefined : fileDate(date));
  const properties = Object.entries(rule.properties ?? {}).map(([name, value]) => [
    name,
    typeof value === "string" ? fillTemplate(value, found) : value,
  ]);
  return {
    collection,
    id,
    asset: band === undefined ? (rule.asset ?? ASSET) : (names.get(band) ?? band),
    ...(datetime === undefined ? {} : { time: { datetime } }),
    properties: Object.fromEntries(properties),
  };
}

/**
 * Text as the id of an item: what an address would escape becomes `_`. Where more than slashes is lost, a hash of the text
 * follows, so that other texts have other ids.
 */
export function itemId(text: string): string {
  const plain = text.replace(/[^\w.-]+/g, "_");
  if (/^[\w.-]+(?:\/[\w.-]+)*$/.test(text) && plain.length <= MAX_ID) return plain;
  return hashedId(plain, text);
}

/** An id that no other text has, which begins like the plain one. */
export function hashedId(plain: string, text: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 8);
  return `${plain.slice(0, MAX_ID - hash.length - 1)}-${hash}`;
}

const namesByCollection = new WeakMap<CollectionFile, ReadonlyMap<string, string>>();

/** Maps the texts that `{band}` stands for (names, common names and aliases of bands, keys of assets) to keys of assets. */
function assetNames(collection: CollectionFile): ReadonlyMap<string, string> {
  let names = namesByCollection.get(collection);
  if (names === undefined) {
    const { assets } = collection.upstream;
    names = new Map([
      ...collection.bands.flatMap((band) =>
        [band.commonName, ...(band.aliases ?? [])].flatMap((name) =>
          name === undefined ? [] : [[name, band.name] as const],
        ),
      ),
      ...Object.values(assets).map((key) => [key, key] as const),
      ...Object.keys(assets).map((key) => [key, key] as const),
      ...collection.bands.map(({ name }) => [name, name] as const),
    ]);
    namesByCollection.set(collection, names);
  }
  return names;
}

/**
 * The item of some files, in the shape of an upstream.
 *
 * @param files of one item; not empty.
 * @param hrefOf address of a file.
 */
export function itemOfFiles(files: readonly PlacedFile[], hrefOf: (path: string) => string): Json {
  const [first] = files as readonly [PlacedFile, ...PlacedFile[]];
  const widest = files.reduce((a, b) => (areaOf(b.header) > areaOf(a.header) ? b : a));
  const { id, collection, properties } = first.place;
  return {
    type: "Feature",
    stac_version: "1.1.0",
    id,
    collection: collection.upstream.collection,
    geometry: widest.header.footprint,
    properties: { ...timeOf(files), ...properties, ...codeOf(widest.header) },
    assets: Object.fromEntries(files.map((file) => [file.place.asset, assetOf(file, hrefOf(file.path))])),
  };
}

function assetOf({ header }: PlacedFile, href: string): Json {
  const { width, height, transform, sampleType, nodata, gsd, bands } = header;
  return {
    href,
    type: "image/tiff; application=geotiff; profile=cloud-optimized",
    roles: ["data"],
    gsd,
    "proj:shape": [height, width],
    "proj:transform": transform,
    ...codeOf(header),
    bands: bands.map(({ name }) => ({
      ...(name === undefined ? {} : { name }),
      data_type: sampleType,
      ...(nodata === undefined ? {} : { nodata }),
    })),
  };
}

function codeOf({ epsg }: HeaderFacts): Json {
  return epsg === undefined ? {} : { "proj:code": `EPSG:${epsg}` };
}

/** The time of the files' paths, else the date that one of them says, else when the first was written. */
function timeOf(files: readonly PlacedFile[]): Json {
  const [first] = files as readonly [PlacedFile, ...PlacedFile[]];
  const said = files.flatMap(({ header }) => saidDate(header) ?? [])[0];
  const time = first.place.time ?? { datetime: said ?? new Date(first.mtimeMs).toISOString() };
  if ("datetime" in time) return time;
  const [start_datetime, end_datetime] = time.interval;
  return { datetime: null, start_datetime, end_datetime };
}

/** The date that a file says (`2020:02:19 11:21:08`), RFC 3339. */
export function saidDate({ datetime }: HeaderFacts): string | undefined {
  const text = datetime?.replace(/^(\d{4}):(\d\d):(\d\d)/, "$1-$2-$3").trim();
  return text === undefined ? undefined : fileDate(text);
}

function areaOf({ width, height, transform: [a = 0, b = 0, , d = 0, e = 0] }: HeaderFacts): number {
  return width * height * Math.abs(a * e - b * d);
}
