import {
  type CollectionMatch,
  type CollectionSchema,
  defaultBands,
  type HarmonizeLevel,
  type Unit,
} from "@swath/schema";
import { type Path, Refusal } from "../refusal.ts";
import type { What } from "../request.ts";
import { bandsNamed, knownBands } from "./bands/bands.ts";
import {
  type AdjustmentLevel,
  adjustmentLevel,
  checkAdjustable,
  checkLevel,
  defaultLevel,
  hasLevel,
} from "./bands/levels.ts";
import { checkUnits, hasUnit, unitOfBand } from "./bands/units.ts";
import { type AskedProgram, type ProgramOutput, readFormula } from "./formula.ts";
import { type MeasureUse, readMeasures } from "./measures.ts";

/** The computation over scenes of a collection: the bands, their units, and the outputs. */
export interface BandProgram extends AskedProgram, AdjustmentLevel {
  readonly match: CollectionMatch;
  readonly units: Unit;
  readonly harmonize: HarmonizeLevel;
  /** Whether values below 0 become 0. */
  readonly clipNegative: boolean;
  /** The conversion of stored samples. */
  readonly conversion: "stored" | "offset-removed" | "physical";
}

/** Settings for reading the bands of a request. */
export interface ProgramUse extends MeasureUse {
  /** Ways that say what is computed; the first is how a message lists them. */
  readonly ways: readonly Way[];
  /** Whether bands are left to the service, and pseudo bands are given: those of files. */
  readonly isFile?: boolean;
  /** Path of the bands, where the request does not list them itself. */
  readonly bandsPath?: Path;
  /** Whether several measures are taken in place of one way. */
  readonly hasMeasures?: boolean;
}

const WAYS = ["bands", "index", "expression", "preset", "graph", "measures"] as const;
export type Way = (typeof WAYS)[number];

/** Values of bands as a file has them. */
export const FILE: ProgramUse = { ways: ["bands", "expression"], isFile: true };
/** Numbers of one collection. */
export const NUMBERS: ProgramUse = { ways: ["bands", "index", "expression"], hasMeasures: true };
/** One value of several collections. */
export const CURVE: ProgramUse = { ways: ["index", "expression"], keepsNames: true, hasMeasures: true };

/**
 * Reads bands, index or expression, units and level of harmonization.
 *
 * @param path of `what` in the request
 * @throws {Refusal} `invalid` for none or several ways, an index that is not known, an expression that does not parse and a
 *   band named twice; `unknown-band`; `units-unavailable`; `harmonize-unavailable`.
 */
export function readProgram(match: CollectionMatch, what: What, use: ProgramUse, path: Path = ["what"]): BandProgram {
  const { collection } = match;
  const way = wayOf(what, use, path);
  const harmonize = what.harmonize ?? defaultLevel(collection);
  checkLevel(collection, harmonize, [...path, "harmonize"]);
  const level = adjustmentLevel(harmonize);
  const units = what.units ?? collection.defaultUnits;
  const isFormula = way === "index" || way === "expression";
  const found = isFormula
    ? readFormula(collection, what, [...path, way], use)
    : what.measures !== undefined
      ? readMeasures(collection, what.measures, [...path, "measures"], use)
      : listedBands(collection, what.bands, use.bandsPath ?? [...path, "bands"], {
          isFile: use.isFile === true && use.bandsPath === undefined,
          units,
          level,
        });
  const asked = { collection, ...found };
  checkUnits(asked, units, [...path, "units"]);
  checkAdjustable(asked, units, level, [...path, "harmonize"]);
  if (found.bands.length === 0) {
    const names = defaultBands(collection).map(({ name }) => name);
    const detail = `No band of ${collection.id} can be given as ${units}: expected some of ${names.join(", ")}.`;
    throw new Refusal("invalid", [...path, "bands"], detail);
  }
  const hasIndex = way === "index" || what.measures?.some(({ index }) => index !== undefined) === true;
  if (hasIndex && units !== "REFLECTANCE") {
    const detail = `An index is computed of REFLECTANCE, not of ${units}.`;
    throw new Refusal("units-unavailable", [...path, "units"], detail);
  }
  const removes =
    harmonize === "offset_removed" &&
    found.bands.some(({ nodata }) => nodata !== null) &&
    collection.bands.some(({ offsetRule }) => offsetRule !== undefined);
  return {
    match,
    ...found,
    outputs: found.outputs.map((output) => ({ ...output, ...unitOf(output, found, units) })),
    units,
    harmonize,
    ...level,
    // only reflectance has no meaning below 0: heights, temperatures and decibels do
    clipNegative: what.clipNegative === true && (units === "REFLECTANCE" || units === "DN"),
    conversion: units !== "DN" ? "physical" : removes ? "offset-removed" : "stored",
  };
}

/** The way that the request takes; absent of a file, whose bands are left to the service. */
function wayOf(what: What, { ways, isFile, hasMeasures = false }: ProgramUse, path: Path): Way | undefined {
  const given = WAYS.filter((way) => what[way] !== undefined);
  const [first, second] = given;
  const isTaken = first === "measures" ? hasMeasures : first !== undefined && ways.includes(first);
  if (second === undefined && (isTaken || (first === undefined && isFile === true))) return first;
  const expected = [ways.slice(0, -1).join(", "), ...ways.slice(-1)].filter((each) => each !== "").join(" or ");
  const got = given.length === 0 ? "none" : given.join(" and ");
  const wrong = second ?? first;
  throw new Refusal("invalid", wrong === undefined ? path : [...path, wrong], `Expected ${expected}, got ${got}.`);
}

/** The bands of a list, each an output of its own; of a file without one, those that can be given so. */
function listedBands(
  collection: CollectionSchema,
  asked: readonly string[] | undefined,
  path: Path,
  { isFile, units, level }: { readonly isFile: boolean; readonly units: string; readonly level: AdjustmentLevel },
): AskedProgram {
  const bands =
    asked === undefined
      ? defaultBands(collection).filter((band) => hasUnit(band, units) && hasLevel(collection, band, level))
      : bandsNamed(asked, knownBands(collection, { hasPseudo: isFile }), path);
  const names = bands.map(({ name }) => name);
  return {
    bands,
    names,
    path,
    paths: bands.map((_, i) => (asked === undefined ? path : [...path, i])),
    outputs: names.map((name, i) => ({ name: asked?.[i] ?? name, expression: name })),
    validWhere: "any-file",
  };
}

/** The unit of an output that is an index or a band alone. */
function unitOf({ unit, expression }: ProgramOutput, { bands, names }: AskedProgram, units: Unit) {
  const band = bands[names.indexOf(expression.trim())];
  if (unit !== undefined || band === undefined) return {};
  return { unit: unitOfBand(band, units) };
}
