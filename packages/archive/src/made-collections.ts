import type { CollectionFile } from "@swath/schema";
import { findDateIn } from "./dates-in-paths.ts";
import { type FilePlace, hashedId, itemId } from "./file-items.ts";
import type { HeaderFacts } from "./header-facts.ts";
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
  return `${names.length} ${names.length === 1 ? "band" : "bands"} (${names.slice(0, 8).join(", ")}) of ${sampleType}, nodata ${nodata ?? "none"}`;
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
export function madePlace(collection: CollectionFile, path: string, taken: Set<string>): FilePlace {
  const datetime = findDateIn(path);
  const plain = itemId(path.replace(/\.tiff?$/i, ""));
  const id = taken.has(plain) ? hashedId(plain, path) : plain;
  taken.add(id);
  return { collection, id, asset: "data", ...(datetime === undefined ? {} : { datetime }), properties: {} };
}

/** Largest stored value that a colour of this type may have. */
const RANGES: Readonly<Record<string, readonly [number, number]>> = { uint8: [0, 255], uint16: [0, 65_535] };

/**
 * A collection of files that nothing describes: values as they are stored, in the bands that the header has. Files with
 * red, green and blue can be looked at.
 *
 * @param header of its first file.
 */
export function madeCollection(id: string, title: string, header: HeaderFacts): CollectionFile {
  const names = bandNames(header);
  const colors = ["red", "green", "blue"].map((color) => header.bands.findIndex((band) => band.color === color));
  // an alpha band says which pixels are data, and is none itself
  const all = names.map((name, i) => ({ name, i }));
  const data = all.filter(({ i }) => header.bands[i]?.color !== "alpha");
  const bands = data.length === 0 ? all : data;
  const rescale = RANGES[header.sampleType];
  const hasColors = colors.every((at) => at >= 0) && rescale !== undefined;
  return {
    id,
    title,
    description: `Files of the folder ${title}, with the values that are stored in them.`,
    license: "other",
    licenseLink: { href: "https://spdx.org/licenses/", title: "Not stated", type: "text/html" },
    providers: [],
    attribution: title,
    start: "1970-01-01T00:00:00Z",
    upstream: {
      name: ARCHIVE,
      collection: id,
      absentProperties: ["eo:cloud_cover"],
      filesSayNodata: true,
      assets: { data: "data" },
    },
    bands: bands.map(({ name, i }) => ({
      name,
      asset: "data",
      index: i + 1,
      kind: "ancillary",
      description: `Band ${i + 1} as it is stored`,
      gsd: header.gsd,
      dataType: header.sampleType as CollectionFile["bands"][number]["dataType"],
      scale: 1,
      offset: 0,
      nodata: typeof header.nodata === "number" ? header.nodata : null,
      unit: "DN",
    })),
    pseudoBands: ["dataMask"],
    units: ["DN"],
    processUnits: ["DN"],
    defaultUnits: "DN",
    harmonize: { default: "none", levels: { none: "Values as they are stored." } },
    zoom: { min: 0, max: 24 },
    ...(hasColors
      ? { recipes: { "true-color": { assets: colors.map((at) => names[at] as string), rescale: [...rescale] } } }
      : {}),
  };
}
