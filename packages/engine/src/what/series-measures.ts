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
import { faultsOf, pointerOf } from "../job/faults.ts";
import type { What } from "../request.ts";
import { adjustmentLevel, checkAdjustable } from "./adjustment-level.ts";
import { PLAIN_NUMBER, unitOfBand } from "./band-units.ts";
import type { Measure } from "./measure.ts";
import { checkHarmonize, checkUnits, defaultLevel } from "./product.ts";
import { findProductBand, type ProductBand } from "./pseudo-bands.ts";
import { didYouMean, unknownIndexDetail } from "./unknown-names.ts";

/** One expression over several collections: the same names, of each collection its own bands. */
export interface SeriesMeasures {
  /** Id of the index; absent for an expression. */
  readonly index?: string;
  /** Over `names`. */
  readonly expression: string;
  /** Names of bands in the expression, each once. */
  readonly names: readonly string[];
  /** The level asked for, or the default. */
  readonly harmonize: string;
  /** Of the values: id of a unit of a band alone, `1` of an index; absent of an expression over bands. */
  readonly unit?: string;
  /** Units of what the expression reads, by name. */
  readonly bandUnits: Readonly<Record<string, Unit>>;
  /** By collection, in the order of the request: `bands` has one band a name. */
  readonly measures: ReadonlyMap<CollectionMatch, Measure>;
}

/**
 * Reads index or expression, and what it means in each collection.
 *
 * @throws {ProblemError} of `fault` for both or neither, an index that is not known, and an expression that does not
 *   parse; `unknown-band` where a name is no band of a collection; `units-unavailable` for bands without physical values;
 *   and for names that collections have in different units; `harmonize-unavailable` for a level that a collection, or
 *   one of the bands, lacks.
 */
export function seriesMeasures(
  matches: readonly CollectionMatch[],
  { index: id, expression: given, harmonize }: What,
  place: "query" | "body",
): SeriesMeasures {
  const fault = faultsOf(place);
  if ((id === undefined) === (given === undefined)) {
    throw fault(
      id === undefined ? "index" : "expression",
      `Expected index or expression, got ${id === undefined ? "neither" : "both"}.`,
    );
  }
  const index = id === undefined ? undefined : indexOf(id, place);
  const member = index === undefined ? "expression" : "index";
  const expression = index?.expression ?? given ?? "";
  const names = namesIn(expression, matches, member, place);
  const pointer = pointerOf(place, member);
  const measures = new Map(
    matches.map((match): [CollectionMatch, Measure] => {
      const { collection } = match;
      const substitutes = index === undefined ? {} : collection.indexBands;
      const bands = names.map((name) => bandCalled(substitutes[name] ?? name, collection, pointer));
      const level = harmonize ?? defaultLevel(match);
      const pointers = {
        bands: names.map(() => pointer),
        units: pointer,
        harmonize: pointerOf(place, "harmonize"),
      };
      checkHarmonize(match, level, pointers.harmonize);
      const adjustment = adjustmentLevel(level);
      const units = collection.defaultUnits;
      checkUnits(match, bands, units, pointers);
      if (adjustment.isAdjusted) checkAdjustable(match, bands, units, adjustment, pointers);
      const measure: Measure = {
        match,
        bands,
        units,
        harmonize: level as HarmonizeLevel,
        ...adjustment,
        conversion: "physical",
        outputs: [{ name: index?.id ?? "expression", expression }],
        validWhere: "every-file",
      };
      return [match, measure];
    }),
  );
  const levels = new Set([...measures.values()].map((measure) => measure.harmonize));
  const bandUnits = unitsOf(names, [...measures.values()], pointer);
  const unit = index === undefined ? bandUnits[expression.trim()] : PLAIN_NUMBER;
  return {
    ...(index === undefined ? {} : { index: index.id }),
    expression,
    names,
    ...(unit === undefined ? {} : { unit }),
    bandUnits,
    harmonize: levels.size === 1 ? ([...levels][0] ?? "none") : "offset_removed",
    measures,
  };
}

/** The unit of each name, which is the same in all collections: kelvin and reflectance are no one series. */
function unitsOf(names: readonly string[], measures: readonly Measure[], pointer: string): Record<string, Unit> {
  return Object.fromEntries(
    names.map((name, i): [string, Unit] => {
      const found = measures.map(({ bands, units }) => unitOfBand(bands[i]!, units));
      const other = found.findIndex((unit) => unit !== found[0]);
      if (other < 0) return [name, found[0]!];
      const [first, second] = [measures[0]!, measures[other]!].map(({ match }) => match.collection.id);
      const detail = `${name} is in ${found[0]} in ${first}, and in ${found[other]} in ${second}: ask for one series each.`;
      throw new ProblemError("units-unavailable", detail, { errors: [{ pointer, detail }] });
    }),
  );
}

function indexOf(id: string, place: "query" | "body") {
  try {
    return resolveIndex(id);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw faultsOf(place)("index", unknownIndexDetail(error), error);
  }
}

/** The names that an expression reads, each of which is a band of one of the collections at least. */
function namesIn(
  expression: string,
  matches: readonly CollectionMatch[],
  member: string,
  place: "query" | "body",
): readonly string[] {
  const fault = faultsOf(place);
  const known = [...new Set(matches.flatMap(({ collection }) => namesOfBands(collection)))];
  try {
    const names = parseExpression(expression, known).inputs.map((i) => known[i] ?? "");
    if (names.length === 0) throw fault(member, "Expected an expression with at least one band.");
    return names;
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (error.code !== "unknown-band") throw fault(member, error.message, error);
    const name = /^[A-Za-z_][A-Za-z0-9_]*/.exec(expression.slice(error.position))?.[0] ?? "";
    throw unknownBand(name, matches[0]?.collection, known, pointerOf(place, member));
  }
}

const namesOfBands = ({ bands, virtual }: CollectionSchema): readonly string[] =>
  (virtual?.bands ?? bands).flatMap(namesOfBand);

/** Pseudo bands are classes: nothing is computed of them. */
function bandCalled(name: string, collection: CollectionSchema, pointer: string): ProductBand {
  const band = findProductBand(collection, name);
  if (band !== undefined && band.isPseudo !== true) return band;
  throw unknownBand(name, collection, namesOfBands(collection), pointer);
}

function unknownBand(
  name: string,
  collection: CollectionSchema | undefined,
  known: readonly string[],
  pointer: string,
): ProblemError {
  const detail = `${collection?.id ?? "The collection"} has no band called "${name}".${didYouMean(name, known)}`;
  return new ProblemError("unknown-band", detail, { errors: [{ pointer, detail }] });
}
