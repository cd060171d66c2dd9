import { stat } from "node:fs/promises";
import { join } from "node:path";
import { ProblemError } from "@swath/problem";
import { extractUnits, isMask } from "../job/cost.ts";
import type { EngineParts } from "../parts.ts";
import type { Extraction, ExtractJob } from "../run/extract-job.ts";
import { findProcessScenes, type ProcessPlan, type ProcessSpec, planProcess } from "./process-plan.ts";

/** A finished file. */
export interface ProcessResult {
  readonly plan: ProcessPlan;
  readonly extraction: Extraction;
  /** Its id in the result store. */
  readonly id: string;
  readonly path: string;
  /** Scenes that can never be read, for which others were taken. */
  readonly skipped: readonly string[];
}

/** Unreadable scenes that one request works around before it gives up. */
const MAX_SKIPPED = 12;

export type ProcessServices = Pick<
  EngineParts,
  "catalog" | "registry" | "renderer" | "results" | "angles" | "sceneDocuments"
>;

export interface ProcessOptions {
  readonly signal: AbortSignal;
  /** Part of the work done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
  /** Called once with the units that the request costs and the bytes of its file, before anything of a scene is read. */
  readonly admit?: (units: number, fileBytes: number) => Promise<void>;
}

/** Units of a request: its pixels and bands, masks and pseudo bands aside; how many scenes they are taken from does not count. */
export function unitsOf({ product, frame }: ProcessSpec): number {
  const bands = product.bands.filter((band) => band.isPseudo !== true && !isMask(band)).length;
  return extractUnits({ ...frame, bands, is32Bit: product.sampleType === "float32" });
}

/** Bytes of the samples of a sample type. */
const SAMPLE_BYTES = { uint8: 1, uint16: 2, int16: 2, float32: 4 } as const satisfies Record<
  ExtractJob["sampleType"],
  number
>;
/** A file beside its samples: overviews of a third, what incompressible blocks gain, and tags. */
const FILE_OVERHEAD = 1.34;
const TAG_BYTES = 1_048_576;

/** Bytes that the file of a request has at most. */
export function mostBytesOf({ product, frame }: ProcessSpec): number {
  const { width, height } = frame;
  const bytes = width * height * product.bands.length * SAMPLE_BYTES[product.sampleType];
  return Math.ceil(bytes * FILE_OVERHEAD) + TAG_BYTES;
}

/**
 * Searches the scenes of a request and writes its file. Where a scene turns out unreadable, a request by time takes the
 * next one; a request that named it fails. A run that fails or is aborted leaves no file.
 *
 * @throws {ProblemError}
 */
export async function runProcess(
  { catalog, angles, sceneDocuments, renderer, results }: ProcessServices,
  spec: ProcessSpec,
  options: ProcessOptions,
): Promise<ProcessResult> {
  const without = new Set<string>();
  const { id, directory } = await results.allocate();
  try {
    const { signal } = options;
    let scenes = await findProcessScenes(catalog, spec, { signal });
    await options.admit?.(unitsOf(scenes.spec), mostBytesOf(scenes.spec));
    for (;;) {
      const plan = await planProcess({ angles, sceneDocuments }, scenes, { signal });
      const path = join(directory, plan.filename);
      const job = { ...plan.job, path, spoolDirectory: results.spoolDirectory };
      const outcome = await renderer.extract(job, options);
      if (outcome.kind === "written") {
        await stat(path); // what is promised is there
        return { plan, extraction: outcome, id, path, skipped: [...without] };
      }
      if (spec.selection.kind === "ids" || without.size >= MAX_SKIPPED) {
        throw new ProblemError("upstream-unavailable", `Scene ${outcome.scene} cannot be read: ${outcome.reason}.`);
      }
      without.add(outcome.scene);
      scenes = await findProcessScenes(catalog, spec, { signal, without });
    }
  } catch (error) {
    await results.remove(id);
    throw error;
  }
}
