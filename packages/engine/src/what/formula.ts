import { ExpressionError, parseExpression } from "@swath/raster";
import type { CollectionSchema } from "@swath/schema";
import { indexNamed } from "../names.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { What } from "../request.ts";
import { knownBands, type ProductBand, unknownBand } from "./bands/bands.ts";
import { PLAIN_NUMBER } from "./bands/units.ts";

/** An output: its name, and an expression over the program's names. */
export interface ProgramOutput {
  readonly name: string;
  readonly expression: string;
  /** Id of a unit of a band, `1` of an index; absent of an expression over bands, which may have any. */
  readonly unit?: string;
}

/** The bands that a program reads, and its outputs. */
export interface AskedProgram {
  readonly bands: readonly ProductBand[];
  /** Name of each band in the expressions of the outputs. */
  readonly names: readonly string[];
  /** Path of the request's `bands`, `index` or `expression`. */
  readonly path: Path;
  /** Path of each band's name in the request. */
  readonly paths: readonly Path[];
  readonly outputs: readonly ProgramOutput[];
  /** `any-file`: each band has pixels of its own; `every-file`: a pixel needs all bands. */
  readonly validWhere: "any-file" | "every-file";
}

/** Settings for reading expressions. */
export interface FormulaUse {
  /** Whether expressions keep their names, so that they are the same in several collections. */
  readonly keepsNames?: boolean;
}

/** Names as expressions have them. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*/g;

/**
 * Reads an index or an expression: one output, of the bands that it names. Its names become native ones, each band once,
 * unless they are kept.
 *
 * @param path where the request has it
 * @throws {Refusal} `invalid` for an index that is not known and for what does not parse, `unknown-band`.
 */
export function readFormula(
  collection: CollectionSchema,
  { index: id, expression = "" }: What,
  path: Path,
  { keepsNames = false }: FormulaUse,
): AskedProgram {
  const index = id === undefined ? undefined : indexNamed(id, path);
  const text = index?.expression ?? expression;
  // of some collections another band than the one of this name suits indices
  const instead = index === undefined ? {} : collection.indexBands;
  const meant = bandsIn(text, collection, instead, path);
  if (meant.size === 0) throw new Refusal("invalid", path, "Expected an expression with at least one band.");
  const bands = keepsNames ? [...meant.values()] : [...new Set(meant.values())];
  return {
    bands,
    names: keepsNames ? [...meant.keys()] : bands.map(({ name }) => name),
    path,
    paths: bands.map(() => path),
    outputs: [
      {
        name: index?.id ?? "expression",
        expression: keepsNames ? text : text.replaceAll(NAME, (word) => meant.get(word)?.name ?? word),
        ...(index === undefined ? {} : { unit: PLAIN_NUMBER }),
      },
    ],
    validWhere: "every-file",
  };
}

/** The names that an expression reads, each with the band it means, in the order in which they come. */
function bandsIn(
  text: string,
  collection: CollectionSchema,
  instead: Readonly<Record<string, string>>,
  path: Path,
): ReadonlyMap<string, ProductBand> {
  const known = knownBands(collection, { hasPseudo: false });
  const names = [...new Set([...known.names, ...Object.keys(instead)])];
  const unknown = (name: string, cause?: unknown): Refusal =>
    new Refusal("unknown-band", path, unknownBand(name, known), { cause });
  try {
    return new Map(
      parseExpression(text, names).inputs.map((input) => {
        const name = names[input]!;
        const band = known.find(instead[name] ?? name);
        if (band === undefined) throw unknown(name);
        return [name, band];
      }),
    );
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    if (error.code !== "unknown-band") throw new Refusal("invalid", path, error.message, { cause: error });
    throw unknown(text.slice(error.position).match(NAME)?.[0] ?? "", error);
  }
}
