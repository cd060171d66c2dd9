import type { Item } from "@swath/catalog";
import { OFFSET_REMOVED_NODATA } from "@swath/mosaic";
import { ProblemError } from "@swath/problem";
import {
  type BandSchema,
  type CollectionMatch,
  type CollectionRegistry,
  type CollectionSchema,
  defaultBands,
  HarmonizeLevel,
  isUnit,
  type Unit,
} from "@swath/schema";
import type { ExtractionRequest, GeoTiffInto } from "../request.ts";
import type { ExtractJob } from "../run/extract-job.ts";
import { onlyCollection } from "../when/collections.ts";
import { invalidBody } from "../where/area.ts";
import { type AdjustmentLevel, adjustmentLevel, checkAdjustable, hasCoefficients } from "./adjustment-level.ts";
import { bandOfItem } from "./item-bands.ts";
import { findProductBand, namesOfProductBands, type ProductBand } from "./pseudo-bands.ts";
import { didYouMean } from "./unknown-names.ts";

type ExtractType = ExtractJob["sampleType"];

/** Which bands an output has, and what their samples mean. */
export interface Product extends AdjustmentLevel {
  readonly match: CollectionMatch;
  readonly bands: readonly ProductBand[];
  /** JSON Pointer of each band in the request. */
  readonly pointers: readonly string[];
  /** Whether the request leaves the bands to the service. */
  readonly hasDefaultBands: boolean;
  readonly units: Unit;
  readonly harmonize: HarmonizeLevel;
  readonly clipNegative: boolean;
  /** What becomes of stored samples. */
  readonly conversion: "stored" | "offset-removed" | "physical";
  readonly sampleType: ExtractType;
  /** Written to the file's nodata tag; `undefined`: none is written, see {@link nodataTag}. */
  readonly nodata: number | undefined;
  /** One a band: the number where no scene holds data; `undefined`: nodata. Absent without pseudo bands. */
  readonly fills?: readonly (number | undefined)[];
}

const DATA = "/input/data/0";
const HARMONIZE = `${DATA}/processing/harmonize`;
const UNITS = `${DATA}/processing/units`;
const TYPES = { UINT16: "uint16", INT16: "int16", FLOAT32: "float32" } as const;

/**
 * Reads collection, bands, units, harmonization and sample type.
 *
 * @throws {ProblemError} `unknown-collection`, `unknown-band`, `units-unavailable`, `harmonize-unavailable`, or
 *   `invalid-body` for a band named twice, words that are no units or level, and a sample type that cannot hold the
 *   values.
 */
export function productOf(
  { when, what, into }: Omit<ExtractionRequest, "where">,
  registry: CollectionRegistry,
): Product {
  const match = onlyCollection(when, registry);
  const { units = match.collection.defaultUnits, clipNegative = false, harmonize = defaultLevel(match) } = what;
  checkHarmonize(match, harmonize, HARMONIZE);
  const level = adjustmentLevel(harmonize);
  const bands = bandsOf(match, what.bands, units, level);
  const pointers = bands.map((_, i) => (what.bands === undefined ? "/bands" : `/bands/${i}`));
  checkUnits(match, bands, units, { bands: pointers, units: UNITS });
  if (level.isAdjusted) checkAdjustable(match, bands, units, level, { bands: pointers, harmonize: HARMONIZE });
  const isReflectance = units === "REFLECTANCE" || units === "DN";
  const hasNodata = bands.some((band) => band.nodata !== null);
  const removes =
    harmonize === "offset_removed" && hasNodata && match.collection.bands.some((band) => band.offsetRule !== undefined);
  const conversion = units !== "DN" ? "physical" : removes ? "offset-removed" : "stored";
  const own = ownType(conversion, bands);
  const sampleType = chosenType(into.sampleType, own);
  return {
    match,
    bands,
    pointers,
    hasDefaultBands: what.bands === undefined,
    units,
    harmonize: harmonize as HarmonizeLevel,
    ...level,
    // only reflectance has no meaning below 0: heights, temperatures and decibels do
    clipNegative: clipNegative && isReflectance,
    conversion,
    sampleType,
    nodata: hasNodata || conversion === "physical" ? nodataTag({ sampleType, conversion }, bands) : undefined,
    ...(bands.some(({ derived }) => derived !== undefined)
      ? { fills: bands.map(({ derived }) => (derived === undefined ? undefined : derived.missing)) }
      : {}),
  };
}

/**
 * The product as its scenes can give it: without the bands that one of them lacks and the request does not name. Sensors of
 * one collection differ, and not every scene has surface temperature.
 */
export function productOfScenes(product: Product, items: readonly Item[]): Product {
  if (!product.hasDefaultBands) return product;
  const { collection } = product.match;
  const bands = product.bands.filter((band) => items.every((item) => bandOfItem(item, collection, band) !== undefined));
  if (bands.length === 0 || bands.length === product.bands.length) return product;
  return { ...product, bands, pointers: product.pointers.slice(0, bands.length) };
}

/** Where none are named, those that can be given in the unit, and that have coefficients where the level needs them. */
function bandsOf(
  { collection }: CollectionMatch,
  names: readonly string[] | undefined,
  units: string,
  level: AdjustmentLevel,
): readonly ProductBand[] {
  if (names === undefined) {
    const kinds = KINDS[units as Unit];
    return defaultBands(collection).filter(
      (band) =>
        (kinds === undefined || kinds.includes(band.kind)) &&
        (!level.isAdjusted || hasCoefficients(collection, band, level)),
    );
  }
  return bandsByName(names, collection, findProductBand, namesOfProductBands(collection));
}

/**
 * The bands that `/bands` of a body names, each once.
 *
 * @throws {ProblemError} `unknown-band`, or `invalid-body` for a band named twice.
 */
export function bandsByName<T extends BandSchema>(
  names: readonly string[],
  collection: CollectionSchema,
  find: (collection: CollectionSchema, name: string) => T | undefined,
  known: Iterable<string>,
): readonly T[] {
  const found = names.map((name) => find(collection, name));
  const errors = names.flatMap((name, i) => {
    if (found[i] !== undefined) return [];
    const hint = didYouMean(name, known);
    return [{ pointer: `/bands/${i}`, detail: `${collection.id} has no band called "${name}".${hint}` }];
  });
  if (errors.length > 0) {
    throw new ProblemError("unknown-band", errors.map(({ detail }) => detail).join(" "), { errors });
  }
  const bands = found.filter((band) => band !== undefined);
  const own = bands.map(({ name }) => name);
  const again = own.findIndex((name, i) => own.indexOf(name) < i);
  if (again === -1) return bands;
  const first = own.indexOf(own[again] as string);
  throw invalidBody(
    `/bands/${again}`,
    `Expected each band once: "${names[again]}" is the band that /bands/${first} names.`,
  );
}

/** `offset_removed` where a collection of one sensor has it, as the interface says; else the collection's own default. */
export function defaultLevel({ collection }: CollectionMatch): HarmonizeLevel {
  if (collection.virtual !== undefined) return collection.defaultHarmonize;
  return collection.harmonizeLevels.includes("offset_removed") ? "offset_removed" : collection.defaultHarmonize;
}

/** @throws {ProblemError} `invalid-body` for what is no level, `harmonize-unavailable` for one that the collection lacks. */
export function checkHarmonize({ collection }: CollectionMatch, level: string, pointer: string): void {
  if (collection.harmonizeLevels.some((known) => known === level)) return;
  if (!HarmonizeLevel.safeParse(level).success) {
    throw invalidBody(pointer, `Expected ${collection.harmonizeLevels.join(" or ")}, got "${level}".`);
  }
  const detail = `${collection.id} has the levels ${collection.harmonizeLevels.join(", ")}, not "${level}".`;
  throw new ProblemError("harmonize-unavailable", detail, { errors: [{ pointer, detail }] });
}

/** Where in a body the parts are that are checked: a pointer for each band, and one for the units or the level. */
type Pointers<K extends string> = { readonly bands: readonly string[] } & { readonly [name in K]: string };

/** @throws {ProblemError} `units-unavailable` for units that the collection or a band lacks, `invalid-body` for no units. */
export function checkUnits(
  { collection }: CollectionMatch,
  bands: readonly ProductBand[],
  units: string,
  pointers: Pointers<"units">,
): asserts units is Unit {
  const pointer = pointers.units;
  const { processUnits } = collection;
  if (!processUnits.some((unit) => unit === units)) {
    const detail = `Expected ${processUnits.join(" or ")}, got "${units}".`;
    if (!isUnit(units)) throw invalidBody(pointer, detail);
    throw new ProblemError("units-unavailable", detail, { errors: [{ pointer, detail }] });
  }
  if (units === "DN") return;
  const kinds = KINDS[units as Unit] ?? [];
  const errors = bands.flatMap((band, i) => {
    if (kinds.includes(band.kind)) return [];
    const others = processUnits.filter((unit) => unit === "DN" || KINDS[unit]?.includes(band.kind));
    const hint = others.length === 0 ? "" : `: ask for ${others.join(" or ")}`;
    const detail = `${band.name} of ${collection.id} cannot be given as ${units}${hint}.`;
    return [{ pointer: pointers.bands[i] ?? "/bands", detail }];
  });
  if (errors.length > 0) {
    throw new ProblemError("units-unavailable", errors.map(({ detail }) => detail).join(" "), { errors });
  }
}

/** Which bands can be given in a unit. REFLECTANCE includes thermal bands, in kelvin. */
const KINDS: Readonly<Partial<Record<Unit, readonly BandSchema["kind"][]>>> = {
  REFLECTANCE: ["spectral", "thermal"],
  KELVIN: ["thermal"],
  CELSIUS: ["thermal"],
  METERS: ["elevation"],
  LINEAR_POWER: ["backscatter"],
  DB: ["backscatter"],
};

/** The narrowest type that holds every value exactly. */
function ownType(conversion: Product["conversion"], bands: readonly ProductBand[]): ExtractType {
  if (conversion === "physical") return "float32";
  if (conversion === "offset-removed") return "int16";
  // numbers of pseudo bands fit into every type
  const stored = bands.filter(({ isPseudo }) => isPseudo !== true);
  if (stored.length === 0) return "uint8";
  const signed = stored.filter((band) => band.dataType === "int16").length;
  if (signed === 0) return "uint16";
  return signed === stored.length ? "int16" : "float32";
}

function chosenType(asked: GeoTiffInto["sampleType"], own: ExtractType): ExtractType {
  if (asked === undefined || asked === "AUTO") return own;
  const type = TYPES[asked];
  if (type === own || type === "float32" || own === "uint8") return type;
  throw invalidBody(
    "/output/sampleType",
    `${asked} cannot hold these values: expected ${[...new Set([own.toUpperCase(), "FLOAT32"])].join(" or ")}.`,
  );
}

/**
 * The nodata tag of a file of some of the product's bands. `undefined` where none of them has a nodata value, and where
 * it would be 0 while 0 is data in another: a file has one tag for all its bands.
 */
export function nodataTag(
  { sampleType, conversion }: Pick<Product, "sampleType" | "conversion">,
  bands: readonly ProductBand[],
): number | undefined {
  const first = bands.find(({ nodata }) => nodata !== null);
  if (first === undefined) return undefined;
  if (sampleType === "float32") return Number.NaN;
  if (sampleType === "uint16") return bands.every(({ nodata }) => nodata !== null) ? 0 : undefined;
  return conversion === "stored" ? (first.nodata ?? OFFSET_REMOVED_NODATA) : OFFSET_REMOVED_NODATA;
}
