import { type CollectionMatch, type CollectionSchema, findBand, type Unit } from "@swath/schema";
import { type Path, Refusal } from "../refusal.ts";
import type { What } from "../request.ts";
import { type BandProgram, CURVE, readProgram } from "./band-program.ts";
import { unitOfBand } from "./bands/units.ts";
import type { ProgramOutput } from "./formula.ts";

/** One expression over several collections: the same names, of each collection its own bands. */
export interface SeriesPrograms {
  /** Id of the index; absent for an expression. */
  readonly index?: string;
  /** Over `names`; of several measures that of the first. */
  readonly expression: string;
  /** Several measures by their names, each over `names`; absent: one, without a name. */
  readonly measures?: readonly ProgramOutput[];
  /** Names of bands in the expression, each once. */
  readonly names: readonly string[];
  /** Path of the request's index or expression. */
  readonly path: Path;
  /** The level asked for, or the default. */
  readonly harmonize: string;
  /** Unit of the values: its id for a band alone, `1` for an index; absent for an expression over bands. */
  readonly unit?: string;
  /** Whether the values are numbers of classes: those of one band that holds them. */
  readonly isClass: boolean;
  /** Units of the bands that the expression reads, by name. */
  readonly bandUnits: Readonly<Record<string, Unit>>;
  /** By collection, in the order of the request: `bands` has one band per name. */
  readonly byCollection: ReadonlyMap<CollectionMatch, BandProgram>;
}

/**
 * Reads index or expression, and what it means in each collection.
 *
 * @param matches at least one
 * @throws {Refusal} as {@link readProgram}; `units-unavailable` for names that collections have in different units.
 */
export function seriesPrograms(matches: readonly CollectionMatch[], what: What, path: Path = ["what"]): SeriesPrograms {
  const isClass = matches.every(({ collection }) => isOfClasses(collection, what));
  // classes are numbers as they are stored
  const asked = isClass ? { ...what, units: "DN" } : what;
  const apart = new Set(matches.flatMap(({ collection }) => Object.keys(collection.indexBands)));
  const programs = matches.map((match) => readProgram(match, asked, { ...CURVE, apart }, path));
  const { names, outputs, path: member, harmonize } = programs[0]!;
  const { name, expression, unit } = outputs[0]!;
  return {
    ...(what.index === undefined ? {} : { index: name }),
    expression,
    ...(what.measures === undefined ? {} : { measures: measuresOf(programs) }),
    names,
    path: member,
    isClass,
    ...(unit === undefined || what.measures !== undefined ? {} : { unit }),
    bandUnits: unitsOf(names, programs, member),
    harmonize: programs.every((each) => each.harmonize === harmonize) ? harmonize : "offset_removed",
    byCollection: new Map(programs.map((program) => [program.match, program])),
  };
}

/** Whether the expression is the name of a band that holds classes. */
const isOfClasses = (collection: CollectionSchema, { expression }: What): boolean =>
  expression !== undefined && findBand(collection, expression.trim())?.kind === "class";

/** The measures, each with its unit where all collections have the same. */
function measuresOf([first, ...others]: readonly BandProgram[]): readonly ProgramOutput[] {
  return first!.outputs.map(({ unit, ...output }, i) => {
    const isSame = unit !== undefined && others.every(({ outputs }) => outputs[i]?.unit === unit);
    return isSame ? { ...output, unit } : output;
  });
}

/** The unit of each name, which is the same in all collections: kelvin and reflectance are no one series. */
function unitsOf(names: readonly string[], programs: readonly BandProgram[], path: Path): Record<string, Unit> {
  return Object.fromEntries(
    names.map((name, i): [string, Unit] => {
      const found = programs.map(({ bands, units }) => unitOfBand(bands[i]!, units));
      const other = found.findIndex((unit) => unit !== found[0]);
      if (other < 0) return [name, found[0]!];
      const [first, second] = [programs[0]!, programs[other]!].map(({ match }) => match.collection.id);
      const detail = `${name} is in ${found[0]} in ${first}, and in ${found[other]} in ${second}: ask for one series each.`;
      throw new Refusal("units-unavailable", path, detail);
    }),
  );
}
