import { ProblemError } from "@swath/problem";
import { findPreset, type Preset, presets } from "@swath/schema";
import { didYouMean } from "../errors/did-you-mean.ts";

export function listPresets(): readonly Preset[] {
  return presets;
}

/** @throws {ProblemError} `not-found` for an unknown id. */
export function getPreset(id: string): Preset {
  const preset = findPreset(id);
  if (preset !== undefined) return preset;
  const known = presets.map((each) => each.id).join(", ");
  const hint = didYouMean(
    id,
    presets.map((each) => each.id),
  );
  throw new ProblemError("not-found", `No preset is called "${id}"; there are ${known}.${hint}`);
}
