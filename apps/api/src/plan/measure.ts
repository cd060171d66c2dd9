import { ProblemError } from "@swath/problem";
import { ExpressionError, parseExpression } from "@swath/raster";
import {
  type BandSchema,
  bandScaling,
  type CollectionMatch,
  type CollectionSchema,
  findBand,
  hasPhysicalUnits,
  namesOfBand,
  resolveIndex,
  SchemaError,
  type Unit,
} from "@swath/schema";
import type { SampleConversion } from "../render/scene-read.ts";
import { didYouMean } from "../unknown-names.ts";
import { invalidBody } from "./area.ts";
import { bandsByName, checkHarmonize, defaultLevel } from "./product.ts";

/** An output: its name, and an expression over native names of bands. */
export interface MeasureOutput {
  readonly name: string;
  readonly expression: string;
}

/** What is computed of scenes: which bands are read, in which units, and what is made of them. */
export interface Measure {
  readonly match: CollectionMatch;
  /** Each band once. */
  readonly bands: readonly BandSchema[];
  readonly units: Unit;
  readonly harmonize: string;
  readonly outputs: readonly MeasureOutput[];
  /** `any-file`: each band has pixels of its own; `every-file`: a pixel needs all bands. */
  readonly validWhere: "any-file" | "every-file";
}

/** What a body says about it. */
export interface MeasureRequest {
  readonly bands?: readonly string[] | undefined;
  readonly index?: string | undefined;
  readonly expression?: string | undefined;
  readonly harmonize?: string | undefined;
  readonly units?: Unit | undefined;
}

const WAYS = ["bands", "index", "expression"] as const;

/**
 * Reads bands, index or expression, units and harmonization.
 *
 * @param unitsPointer where the body holds `units`
 * @throws {ProblemError} `invalid-body`, `unknown-band`, `units-unavailable`, `harmonize-unavailable`.
 */
export function measureOf(match: CollectionMatch, request: MeasureRequest, unitsPointer: string): Measure {
  const { collection } = match;
  const given = WAYS.filter((name) => request[name] !== undefined);
  if (given.length !== 1) {
    const got = given.length === 0 ? "none" : given.join(" and ");
    throw invalidBody(given[1] === undefined ? "" : `/${given[1]}`, `Expected bands, index or expression, got ${got}.`);
  }
  const harmonize = request.harmonize ?? defaultLevel(match);
  checkHarmonize(match, harmonize, "/harmonize");
  const units = request.units ?? defaultUnits(collection);
  const { bands, outputs, pointers, validWhere } = outputsOf(collection, request);
  checkUnits(collection, bands, units, pointers, unitsPointer);
  if (request.index !== undefined && units !== "REFLECTANCE") {
    throw unitsUnavailable(unitsPointer, `An index is computed of REFLECTANCE, not of ${units}.`);
  }
  const inUnits = ({ name, expression }: MeasureOutput): MeasureOutput =>
    units === "DB" ? { name, expression: inDecibels(expression, bands) } : { name, expression };
  return { match, bands, units, harmonize, outputs: outputs.map(inUnits), validWhere };
}

const defaultUnits = ({ units, defaultUnits: own }: CollectionSchema): Unit =>
  units.includes("REFLECTANCE") ? "REFLECTANCE" : own;

interface Outputs extends Pick<Measure, "bands" | "outputs" | "validWhere"> {
  /** One a band. */
  readonly pointers: readonly string[];
}

function outputsOf(collection: CollectionSchema, { bands: names, index, expression }: MeasureRequest): Outputs {
  if (names !== undefined) {
    const known = collection.bands.flatMap(namesOfBand);
    const bands = bandsByName(names, collection, findBand, known);
    const outputs = bands.map(({ name }, i) => ({ name: names[i] ?? name, expression: name }));
    return { bands, outputs, pointers: bands.map((_, i) => `/bands/${i}`), validWhere: "any-file" };
  }
  const { name, text } = index === undefined ? { name: "expression", text: expression ?? "" } : indexOf(index);
  const pointer = index === undefined ? "/expression" : "/index";
  const bands = bandsOfExpression(text, collection, pointer);
  if (bands.length === 0) throw invalidBody(pointer, "Expected an expression with at least one band.");
  const native = text.replaceAll(NAME, (word) => findBand(collection, word)?.name ?? word);
  return {
    bands,
    outputs: [{ name, expression: native }],
    pointers: bands.map(() => pointer),
    validWhere: "every-file",
  };
}

/** Names as expressions have them. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*/g;

function indexOf(id: string): { readonly name: string; readonly text: string } {
  try {
    const index = resolveIndex(id);
    return { name: index.id, text: index.expression };
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw invalidBody("/index", error.message, error);
  }
}

/** Bands that an expression reads, each once. */
function bandsOfExpression(text: string, collection: CollectionSchema, pointer: string): readonly BandSchema[] {
  const names = collection.bands.flatMap(namesOfBand);
  try {
    const used = parseExpression(text, names).inputs.map((i) => findBand(collection, names[i] ?? ""));
    return [...new Set(used)].filter((band) => band !== undefined);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (error.code !== "unknown-band") throw invalidBody(pointer, error.message, error);
    const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(text.slice(error.position))?.[0] ?? "";
    const detail = `${collection.id} has no band called "${name}".${didYouMean(name, names)}`;
    throw new ProblemError("unknown-band", detail, { errors: [{ pointer, detail }], cause: error });
  }
}

/** Bands of linear power as decibels, in an expression over them. */
function inDecibels(expression: string, bands: readonly BandSchema[]): string {
  const names = new Set(bands.map(({ name }) => name));
  return expression.replaceAll(NAME, (word) => (names.has(word) ? `(10 * log10(${word}))` : word));
}

/** Which unit of a band another is computed of. */
const COMPUTED: Partial<Record<Unit, Unit>> = { CELSIUS: "KELVIN", DB: "LINEAR_POWER" };

function checkUnits(
  collection: CollectionSchema,
  bands: readonly BandSchema[],
  units: Unit,
  pointers: readonly string[],
  unitsPointer: string,
): void {
  const of = COMPUTED[units] ?? units;
  if (!collection.units.includes(units) && !collection.bands.some(({ unit }) => unit === of)) {
    throw unitsUnavailable(
      unitsPointer,
      `${collection.id} has the units ${collection.units.join(", ")}, not ${units}.`,
    );
  }
  const errors = bands.flatMap((band, i) => {
    const fits = units === "DN" || (units === "REFLECTANCE" ? hasPhysicalUnits(band) : band.unit === of);
    if (fits) return [];
    const others = hasPhysicalUnits(band) ? band.unit : "DN";
    const detail = `${band.name} of ${collection.id} cannot be given as ${units}: ask for ${others}.`;
    return [{ pointer: pointers[i] ?? "/bands", detail }];
  });
  if (errors.length > 0) {
    throw new ProblemError("units-unavailable", errors.map(({ detail }) => detail).join(" "), { errors });
  }
}

function unitsUnavailable(pointer: string, detail: string): ProblemError {
  return new ProblemError("units-unavailable", detail, { errors: [{ pointer, detail }] });
}

/** What becomes of the stored samples of a band of a scene. */
export function conversionTo(
  { match: { collection }, units, harmonize }: Pick<Measure, "match" | "units" | "harmonize">,
  band: BandSchema,
  properties: Readonly<Record<string, unknown>>,
): SampleConversion {
  const { scale, offset, dnOffset, nodata } = bandScaling(collection, band, properties);
  const known = nodata === undefined ? {} : { nodata };
  if (units === "DN") {
    if (harmonize === "none" || band.offsetRule === undefined) return { kind: "stored", ...known };
    return { kind: "offset-removed", dnOffset, clipNegative: false, ...known };
  }
  const adjust = units === "CELSIUS" ? { adjust: { slope: 1, intercept: -273.15 } } : {};
  return { kind: "physical", scale, offset, clipNegative: false, ...known, ...adjust };
}
