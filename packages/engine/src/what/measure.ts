import { ProblemError } from "@swath/problem";
import { ExpressionError, parseExpression } from "@swath/raster";
import {
  type CollectionMatch,
  type CollectionSchema,
  type HarmonizeLevel,
  namesOfBand,
  resolveIndex,
  SchemaError,
  type Unit,
} from "@swath/schema";
import type { What } from "../request.ts";
import { invalidBody } from "../where/area.ts";
import { adjustmentLevel, checkAdjustable } from "./adjustment-level.ts";
import { PLAIN_NUMBER, unitOfBand } from "./band-units.ts";
import { bandsByName, checkHarmonize, checkUnits, defaultLevel, type Product } from "./product.ts";
import { findProductBand, type ProductBand } from "./pseudo-bands.ts";
import { didYouMean, unknownIndexDetail } from "./unknown-names.ts";

/** An output: its name, and an expression over native names of bands. */
export interface MeasureOutput {
  readonly name: string;
  readonly expression: string;
  /** Id of a unit of a band, `1` of an index; absent of an expression over bands, which may have any. */
  readonly unit?: string;
}

/** What is computed of scenes: which bands are read, in which units, and what is made of them. */
export interface Measure
  extends Pick<Product, "match" | "bands" | "units" | "harmonize" | "isAdjusted" | "isNadir" | "conversion"> {
  readonly outputs: readonly MeasureOutput[];
  /** `any-file`: each band has pixels of its own; `every-file`: a pixel needs all bands. */
  readonly validWhere: "any-file" | "every-file";
}

const WAYS = ["bands", "index", "expression"] as const;

/**
 * Reads bands, index or expression, units and harmonization.
 *
 * @param unitsPointer where the body holds `units`
 * @throws {ProblemError} `invalid-body`, `unknown-band`, `units-unavailable`, `harmonize-unavailable`.
 */
export function measureOf(match: CollectionMatch, request: What, unitsPointer: string): Measure {
  const { collection } = match;
  const given = WAYS.filter((name) => request[name] !== undefined);
  if (given.length !== 1) {
    const got = given.length === 0 ? "none" : given.join(" and ");
    throw invalidBody(given[1] === undefined ? "" : `/${given[1]}`, `Expected bands, index or expression, got ${got}.`);
  }
  const harmonize = request.harmonize ?? defaultLevel(match);
  checkHarmonize(match, harmonize, "/harmonize");
  const level = adjustmentLevel(harmonize);
  const units = (request.units ?? collection.defaultUnits) as Unit;
  const { bands, outputs, pointers, validWhere } = outputsOf(collection, request, units);
  checkUnits(match, bands, units, { bands: pointers, units: unitsPointer });
  if (level.isAdjusted) checkAdjustable(match, bands, units, level, { bands: pointers, harmonize: "/harmonize" });
  if (request.index !== undefined && units !== "REFLECTANCE") {
    const detail = `An index is computed of REFLECTANCE, not of ${units}.`;
    throw new ProblemError("units-unavailable", detail, { errors: [{ pointer: unitsPointer, detail }] });
  }
  const removes = harmonize === "offset_removed" && bands.some(({ offsetRule }) => offsetRule !== undefined);
  return {
    match,
    bands,
    units,
    harmonize: harmonize as HarmonizeLevel,
    ...level,
    conversion: units !== "DN" ? "physical" : removes ? "offset-removed" : "stored",
    outputs,
    validWhere,
  };
}

interface Outputs extends Pick<Measure, "bands" | "outputs" | "validWhere"> {
  /** One a band. */
  readonly pointers: readonly string[];
}

function outputsOf(collection: CollectionSchema, { bands: names, index, expression }: What, units: Unit): Outputs {
  if (names !== undefined) {
    const bands = bandsByName(names, collection, findMeasured, namesOf(collection));
    const outputs = bands.map((band, i) => ({
      name: names[i] ?? band.name,
      expression: band.name,
      unit: unitOfBand(band, units),
    }));
    return { bands, outputs, pointers: bands.map((_, i) => `/bands/${i}`), validWhere: "any-file" };
  }
  const { name, text } =
    index === undefined ? { name: "expression", text: expression ?? "" } : indexOf(index, collection);
  const pointer = index === undefined ? "/expression" : "/index";
  const bands = bandsOfExpression(text, collection, pointer);
  if (bands.length === 0) throw invalidBody(pointer, "Expected an expression with at least one band.");
  const native = text.replaceAll(NAME, (word) => findMeasured(collection, word)?.name ?? word);
  const [only] = bands;
  const isBand = only !== undefined && native.trim() === only.name;
  const unit = index !== undefined ? PLAIN_NUMBER : isBand ? unitOfBand(only, units) : undefined;
  return {
    bands,
    outputs: [{ name, expression: native, ...(unit === undefined ? {} : { unit }) }],
    pointers: bands.map(() => pointer),
    validWhere: "every-file",
  };
}

/** Pseudo bands are classes: nothing is computed of them. */
function findMeasured(collection: CollectionSchema, name: string): ProductBand | undefined {
  const band = findProductBand(collection, name);
  return band?.isPseudo === true ? undefined : band;
}

const namesOf = ({ virtual, bands }: CollectionSchema): readonly string[] =>
  (virtual?.bands ?? bands).flatMap(namesOfBand);

/** Names as expressions have them. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*/g;

function indexOf(id: string, { indexBands }: CollectionSchema): { readonly name: string; readonly text: string } {
  try {
    const index = resolveIndex(id);
    return { name: index.id, text: index.expression.replaceAll(NAME, (word) => indexBands[word] ?? word) };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw invalidBody("/index", unknownIndexDetail(error), error);
  }
}

/** Bands that an expression reads, each once. */
function bandsOfExpression(text: string, collection: CollectionSchema, pointer: string): readonly ProductBand[] {
  const names = namesOf(collection);
  try {
    const used = parseExpression(text, names).inputs.map((i) => findMeasured(collection, names[i] ?? ""));
    return [...new Set(used)].filter((band) => band !== undefined);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (error.code !== "unknown-band") throw invalidBody(pointer, error.message, error);
    const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(error.position))?.[0] ?? "";
    const detail = `${collection.id} has no band called "${name}".${didYouMean(name, names)}`;
    throw new ProblemError("unknown-band", detail, { errors: [{ pointer, detail }], cause: error });
  }
}
