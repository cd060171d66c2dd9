import { ProblemError } from "@swath/problem";
import type { CollectionRegistry, Preset } from "@swath/schema";
import { didYouMean } from "./unknown-names.ts";

/** @throws {ProblemError} `not-found` for an unknown id. */
export function getPreset({ presets, findPreset }: CollectionRegistry, id: string): Preset {
  const preset = findPreset(id);
  if (preset !== undefined) return preset;
  const known = presets.map((each) => each.id);
  throw new ProblemError(
    "not-found",
    `No preset is called "${id}"; there are ${known.join(", ")}.${didYouMean(id, known)}`,
  );
}
