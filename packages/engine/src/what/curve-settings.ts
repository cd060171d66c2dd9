import { CurveError, type CurveOptions, checkThreshold, smoothSettings } from "@swath/curve";
import { type Path, Refusal } from "../refusal.ts";
import type { OverpassesInto } from "../request.ts";
import type { SeriesPrograms } from "./series-programs.ts";

/**
 * Reads how a curve is described, with the defaults of its method.
 *
 * @throws {Refusal} `invalid` for options that do not fit, and for descriptions of classes or of several measures.
 */
export function curveSettings(
  { smooth, trend, season }: OverpassesInto,
  { isClass, measures }: SeriesPrograms,
): CurveOptions {
  const asked = { smooth, trend, season };
  const [first] = Object.entries(asked).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (first !== undefined && isClass) {
    throw new Refusal("invalid", ["into", first], "The values are numbers of classes, which have no curve.");
  }
  if (first !== undefined && measures !== undefined) {
    throw new Refusal(
      "invalid",
      ["into", first],
      "Expected index or expression: several measures have several curves.",
    );
  }
  return {
    ...(smooth === undefined ? {} : { smooth: checked(["into", "smooth"], () => smoothSettings(smooth)) }),
    ...(trend === undefined ? {} : { trend }),
    ...(season === undefined ? {} : { season: checked(["into", "season"], () => checkedSeason(season)) }),
  };
}

function checkedSeason(season: { readonly threshold: number }): { readonly threshold: number } {
  checkThreshold(season.threshold);
  return season;
}

function checked<T>(path: Path, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof CurveError)) throw error;
    const below = error.option === undefined ? path : [...path, error.option];
    throw new Refusal("invalid", below, error.message, { cause: error });
  }
}
