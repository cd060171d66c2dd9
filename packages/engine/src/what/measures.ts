import type { CollectionSchema } from "@swath/schema";
import { type Path, Refusal } from "../refusal.ts";
import type { Measure } from "../request.ts";
import { knownBands, type ProductBand, unknownBand } from "./bands/bands.ts";
import { type AskedProgram, type FormulaUse, type ProgramOutput, readFormula } from "./formula.ts";

/** Measures of one request. */
export const MAX_MEASURES = 64;

const WAYS = ["index", "expression", "band"] as const;
/** Names of measures are members of answers and columns of tables. */
const MEASURE_NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;
const WORD = /[A-Za-z_][A-Za-z0-9_]*/g;

/** Settings for reading measures. */
export interface MeasureUse extends FormulaUse {
  /** Names by which indices of one of these collections read another band than expressions do. */
  readonly apart?: ReadonlySet<string>;
}

/** One measure, read as if it were alone. */
interface ReadMeasure extends AskedProgram {
  readonly isIndex: boolean;
}

/**
 * Reads several measures as one program: the bands of all of them, each once, and an output for each. Where any measure is an
 * index or an expression, a pixel needs the bands of all, so that all its values are of one scene.
 *
 * @param path where the request lists them
 * @throws {Refusal} `invalid` for none, for more than 64, a name that is there twice, and a measure of none or several ways;
 *   `unknown-band`.
 */
export function readMeasures(
  collection: CollectionSchema,
  measures: readonly Measure[],
  path: Path,
  use: MeasureUse,
): AskedProgram {
  checkNames(measures, path);
  const found = measures.map((measure, i) => readMeasure(collection, measure, placeOf(measure, i, path), use));
  const bands = new Map<string, { readonly band: ProductBand; readonly path: Path }>();
  const outputs = found.map((each): ProgramOutput => {
    const names = each.names.map((name) => nameAmong(name, each, found, use));
    for (const [k, name] of names.entries()) {
      if (!bands.has(name)) bands.set(name, { band: each.bands[k]!, path: each.paths[k]! });
    }
    const [output] = each.outputs as [ProgramOutput];
    const renamed = new Map(each.names.map((name, k) => [name, names[k]!]));
    const isPlain = each.names.every((name, k) => name === names[k]);
    const expression = isPlain
      ? output.expression
      : output.expression.replaceAll(WORD, (word) => renamed.get(word) ?? word);
    return { ...output, expression };
  });
  return {
    bands: [...bands.values()].map(({ band }) => band),
    names: [...bands.keys()],
    path,
    paths: [...bands.values()].map((each) => each.path),
    outputs,
    validWhere: found.every(({ validWhere }) => validWhere === "any-file") ? "any-file" : "every-file",
  };
}

const placeOf = ({ at }: Measure, number: number, path: Path): Path => [...path, ...(at ?? [number])];

/** @throws {Refusal} `invalid` for none or too many, and for a name that is there twice. */
function checkNames(measures: readonly Measure[], path: Path): void {
  const count = measures.length;
  if (count < 1 || count > MAX_MEASURES) {
    const detail = `Expected 1 to ${MAX_MEASURES} measures, got ${count}.`;
    const limits = count < 1 ? {} : { limits: { maxMeasures: MAX_MEASURES, requestedMeasures: count } };
    throw new Refusal("invalid", path, detail, limits);
  }
  const known = new Set<string>();
  for (const [i, measure] of measures.entries()) {
    const { name } = measure;
    const at = placeOf(measure, i, path);
    // names of all objects are no members of one's own
    if (!MEASURE_NAME.test(name) || name in Object.prototype) {
      const expected = "Expected a name of at most 64 letters, digits, dots, hyphens and underscores";
      throw new Refusal("invalid", at, `${expected}, got "${name.slice(0, 100)}".`);
    }
    if (known.has(name)) throw new Refusal("invalid", at, `Expected each name once, got "${name}" twice.`);
    known.add(name);
  }
}

function readMeasure(
  collection: CollectionSchema,
  { name, at, ...what }: Measure,
  path: Path,
  use: FormulaUse,
): ReadMeasure {
  const given = WAYS.filter((way) => what[way] !== undefined);
  const [way] = given;
  if (way === undefined || given.length > 1) {
    throw new Refusal("invalid", path, `Expected index, expression or band, got ${given.join(" and ") || "none"}.`);
  }
  const place = at === undefined ? [...path, way] : path;
  const isIndex = way === "index";
  if (way !== "band") {
    const formula = readFormula(collection, what, place, use);
    return { ...formula, outputs: formula.outputs.map((output) => ({ ...output, name })), isIndex };
  }
  const asked = what.band ?? "";
  const known = knownBands(collection, { hasPseudo: false });
  const band = known.find(asked);
  if (band === undefined) throw new Refusal("unknown-band", place, unknownBand(asked, known));
  const own = use.keepsNames === true ? asked : band.name;
  return {
    bands: [band],
    names: [own],
    path: place,
    paths: [place],
    outputs: [{ name, expression: own }],
    validWhere: "any-file",
    isIndex,
  };
}

/**
 * The name of a band among those of all measures. Where an index reads another band by a name than expressions do in one of the
 * collections, it has another name in all of them.
 */
function nameAmong(name: string, { isIndex }: ReadMeasure, all: readonly ReadMeasure[], { apart }: MeasureUse): string {
  const isShared = isIndex && apart?.has(name) === true;
  return isShared && all.some((other) => !other.isIndex && other.names.includes(name)) ? `${name}__index` : name;
}
