import { OFFSET_REMOVED_NODATA } from "@swath/mosaic";
import type { CollectionMatch } from "@swath/schema";
import { type Path, Refusal } from "../refusal.ts";
import type { GeoTiffInto, What } from "../request.ts";
import type { BandMath, ExtractJob } from "../run/extract/extract-job.ts";
import { type BandProgram, FILE, readProgram } from "./band-program.ts";
import type { ProductBand } from "./bands/bands.ts";
import { expressionsOf } from "./custom-preset.ts";

type ExtractType = ExtractJob["sampleType"];

/** The bands of a file, and the meaning of its samples. */
export interface Product extends BandProgram {
  /** Whether the request leaves the bands to the service. */
  readonly hasDefaultBands: boolean;
  readonly sampleType: ExtractType;
  /** Written to the file's nodata tag; `undefined`: none is written, see {@link nodataTag}. */
  readonly nodata: number | undefined;
  /** One per band: the number where no scene holds data; `undefined`: nodata. Absent without pseudo bands. */
  readonly fills?: readonly (number | undefined)[];
  /** The file's mask says which pixels are data: no number is left for the others. */
  readonly mask?: true;
  /** Band math of the file's bands; absent: they are those that are read. */
  readonly math?: BandMath;
}

const TYPES = { UINT16: "uint16", INT16: "int16", FLOAT32: "float32" } as const;

/**
 * Reads bands, units, level of harmonization and sample type of a file.
 *
 * @throws {Refusal} as {@link readProgram}; `invalid` for a sample type that cannot hold the values.
 */
export function productOf(
  match: CollectionMatch,
  what: What,
  { sampleType: asked }: Pick<GeoTiffInto, "sampleType"> = {},
): Product {
  if (what.expression !== undefined && what.bands === undefined) return computedProduct(match, what, asked);
  const program = readProgram(match, what, FILE);
  const { bands, conversion } = program;
  const sampleType = chosenType(asked, ownType(conversion, bands));
  const hasNodata = bands.some((band) => band.nodata !== null || holdsFloats(band));
  const isBySamples = hasNodata || conversion === "physical";
  const isByFiles = !isBySamples && match.collection.upstream.filesSayNodata === true;
  const nodata = isBySamples
    ? nodataTag({ sampleType, conversion }, bands)
    : isByFiles
      ? outsideOf(sampleType, bands)
      : undefined;
  const hasFills = bands.some(({ derived }) => derived !== undefined);
  return {
    ...program,
    hasDefaultBands: what.bands === undefined,
    sampleType,
    nodata,
    ...(hasFills ? { fills: bands.map(({ derived }) => derived?.missing) } : {}),
    ...(isByFiles && nodata === undefined && !hasFills ? { mask: true } : {}),
  };
}

/** A file of one or three expressions: numbers of 32 bits of the pixels that have all the bands. */
function computedProduct(match: CollectionMatch, what: What, asked: GeoTiffInto["sampleType"]): Product {
  const path: Path = ["what", "expression"];
  const { bands, expression = "", names: texts } = expressionsOf(match, what.expression ?? "", path);
  const read = { ...what, expression: undefined, bands: bands.map(({ name }) => name) };
  const program = readProgram(match, read, { ...FILE, bandsPath: path });
  const names = bands.map((_, i) => `b${i + 1}`);
  return {
    ...program,
    path,
    paths: bands.map(() => path),
    outputs: texts.map((text, i) => ({
      name: texts.length === 1 ? "expression" : `expression_${i + 1}`,
      expression: text,
    })),
    validWhere: "every-file",
    hasDefaultBands: false,
    sampleType: chosenType(asked, "float32"),
    nodata: Number.NaN,
    math: { names, expressions: expression.split(";") },
  };
}

/** The narrowest type that holds every value exactly. */
function ownType(conversion: Product["conversion"], bands: readonly ProductBand[]): ExtractType {
  if (conversion === "physical") return "float32";
  if (conversion === "offset-removed") return "int16";
  // numbers of pseudo bands fit into every type
  const stored = bands.filter(({ isPseudo }) => isPseudo !== true);
  if (stored.length === 0) return "uint8";
  if (stored.some(holdsFloats)) return "float32";
  const signed = stored.filter((band) => band.dataType === "int16").length;
  if (signed === 0) return "uint16";
  return signed === stored.length ? "int16" : "float32";
}

/** A number that no sample of the bands is, for pixels that the masks and alpha bands of files leave out. */
function outsideOf(sampleType: ExtractType, bands: readonly ProductBand[]): number | undefined {
  if (sampleType === "float32") return Number.NaN;
  const stored = bands.filter(({ isPseudo }) => isPseudo !== true);
  const areBytes = stored.length > 0 && stored.every(({ dataType }) => dataType === "uint8");
  return areBytes && sampleType === "uint16" ? 65_535 : undefined;
}

const holdsFloats = ({ dataType }: ProductBand): boolean => dataType === "float32";

function chosenType(asked: GeoTiffInto["sampleType"], own: ExtractType): ExtractType {
  if (asked === undefined || asked === "AUTO") return own;
  const type = TYPES[asked];
  if (type === own || type === "float32" || own === "uint8") return type;
  const expected = [...new Set([own.toUpperCase(), "FLOAT32"])].join(" or ");
  throw new Refusal("invalid", ["into", "sampleType"], `${asked} cannot hold these values: expected ${expected}.`);
}

/**
 * The nodata tag of a file of some of the product's bands. `undefined` where none of them has a nodata value, and where
 * it would be 0 while 0 is data in another: a file has one tag for all its bands.
 */
export function nodataTag(
  { sampleType, conversion }: Pick<Product, "sampleType" | "conversion">,
  bands: readonly ProductBand[],
): number | undefined {
  const first = bands.find((band) => band.nodata !== null || holdsFloats(band));
  if (first === undefined) return undefined;
  if (sampleType === "float32") return Number.NaN;
  if (sampleType === "uint16") return bands.every(({ nodata }) => nodata !== null) ? 0 : undefined;
  return conversion === "stored" ? (first.nodata ?? OFFSET_REMOVED_NODATA) : OFFSET_REMOVED_NODATA;
}
