import { stat } from "node:fs/promises";
import { join } from "node:path";
import { filesOf, type PlannedFile } from "../job/extraction-files.ts";
import {
  type ExtractionPlan,
  type ExtractionScenes,
  type ExtractionSpec,
  extractionScenes,
  planExtraction,
  readExtraction,
} from "../job/extraction-plan.ts";
import { extractUnits, isMask } from "../limits/cost.ts";
import type { EngineParts } from "../parts.ts";
import { readMetadata } from "../read/read-metadata.ts";
import { Refusal } from "../refusal.ts";
import type { ExtractionRequest } from "../request.ts";
import { skippedDetail } from "../result/skipped-scenes.ts";
import type { SkippedScene } from "../run/compute/compute-job.ts";
import type { Extraction, ExtractJob, UnreadableScene } from "../run/extract/extract-job.ts";
import { writeResult } from "../run/files/result-file.ts";
import { runTogether } from "../run/run-together.ts";
import { findScenes } from "../when/process-scenes.ts";
import { isSettledFor } from "../when/time-window.ts";
import { SceneUnreadable, writeByParts, writtenOf } from "./file-parts.ts";
import { keyOf, type Prepared, type RunOptions } from "./prepared.ts";

/** A written file. */
export interface WrittenFile extends PlannedFile {
  readonly extraction: Extraction;
  /** Its id in the result store. */
  readonly id: string;
  /** The file in its folder, unless it is in the store alone. */
  readonly path: string;
  /** The store has it already. Absent: whoever wants it found publishes it. */
  readonly isPublished?: true;
}

/** A finished file; of several, the first. */
export interface ExtractedFile extends WrittenFile {
  readonly plan: ExtractionPlan;
  /** One, or one for each band, each in a folder of its own. */
  readonly files: readonly WrittenFile[];
  /** Scenes that can never be read, for which others were taken. */
  readonly skipped: readonly string[];
}

/** An extraction whose scenes are found. */
export interface PreparedExtraction extends Prepared<ExtractedFile> {
  readonly fileBytes: number;
  /** Reads the metadata that it needs, and plans what is read. @throws {Refusal} what `run` would throw before it reads a pixel. */
  check(options: { readonly signal: AbortSignal }): Promise<ExtractionPlan>;
}

/** The parts that writing a GeoTIFF needs. */
export type ExtractionServices = Pick<
  EngineParts,
  "catalog" | "registry" | "renderer" | "results" | "fileParts" | "angles" | "sceneDocuments" | "now"
>;

/** Unreadable scenes that one request works around before it gives up. */
const MAX_SKIPPED = 12;
/** Files of one request that are written at the same time. */
const PARALLEL = 3;

/**
 * Searches the scenes of a file, or of one for each band. Where a scene turns out unreadable, a request by time takes the
 * next one; a request that named it fails. A run that fails or is aborted leaves no file.
 *
 * @throws {Refusal} with what is wrong with the request; `not-found`, `too-many-scenes`; {CatalogError}
 */
export async function prepareExtraction(
  parts: ExtractionServices,
  request: ExtractionRequest,
  { signal: searching }: { readonly signal: AbortSignal },
): Promise<PreparedExtraction> {
  const { catalog, registry, now } = parts;
  const spec = readExtraction(request, registry);
  const { selection, area } = spec;
  const { match } = spec.product;
  const find = async (without: ReadonlySet<string>, signal: AbortSignal): Promise<ExtractionScenes> => {
    const search = { match, registry, area, signal, without, filter: request.when.filter };
    return extractionScenes(spec, await findScenes(catalog, selection, search));
  };
  /** Scenes in place of those that cannot be read. */
  const findOthers = async (without: ReadonlyMap<string, SkippedScene>, signal: AbortSignal) => {
    try {
      return await find(new Set(without.keys()), signal);
    } catch (error) {
      if (!(error instanceof Refusal && error.code === "not-found")) throw error;
      const skipped = [...without.values()];
      const detail = `No scene over the area in the time range can be read. ${skippedDetail(skipped)}`;
      const cause = new Error(skipped.map((each) => each.error).join(" "), { cause: error });
      throw new Refusal("upstream-unavailable", [], detail, { cause });
    }
  };
  const plan = async (scenes: ExtractionScenes, signal: AbortSignal): Promise<ExtractionPlan> =>
    planExtraction(scenes, await readMetadata(scenes.toRead, parts, signal));
  const found = await find(new Set(), searching);

  const run = async (options: RunOptions): Promise<ExtractedFile> => {
    const { signal } = options;
    const without = new Map<string, SkippedScene>();
    for (let scenes = found; ; scenes = await findOthers(without, signal)) {
      const planned = await plan(scenes, signal);
      const outcome = await writeFiles(parts, filesOf(planned), options);
      if (!("kind" in outcome)) return { ...outcome[0]!, plan: planned, files: outcome, skipped: [...without.keys()] };
      if (selection.kind === "ids" || without.size >= MAX_SKIPPED) {
        const detail = `Scene ${outcome.scene} cannot be read: ${outcome.reason}.`;
        throw new Refusal("upstream-unavailable", [], detail, { cause: new Error(outcome.error) });
      }
      const { scene: id, reason, error } = outcome;
      without.set(id, { id, reason, ...(error === undefined ? {} : { error }) });
    }
  };
  return {
    units: unitsOf(found.spec),
    fileBytes: mostBytesOf(found.spec),
    isSettled: selection.kind === "ids" || isSettledFor(selection.window, now()),
    key: () => keyOf(request, found.items),
    check: ({ signal }) => plan(found, signal),
    run,
  };
}

/** Writes files side by side, each in a folder of its own; where one fails, none of them stays. */
async function writeFiles(
  { renderer, results, fileParts }: Pick<ExtractionServices, "renderer" | "results" | "fileParts">,
  files: readonly PlannedFile[],
  { signal, onProgress }: RunOptions,
): Promise<readonly WrittenFile[] | UnreadableScene> {
  const done = files.map(() => 0);
  const written: WrittenFile[] = [];
  const write = async (file: PlannedFile, i: number, signal: AbortSignal): Promise<WrittenFile> => {
    const options = {
      signal,
      onProgress(part: number) {
        done[i] = part;
        onProgress?.(done.reduce((sum, each) => sum + each, 0) / files.length);
      },
    };
    const joined = fileParts === undefined ? undefined : await writeByParts(renderer, fileParts, file, options);
    if (joined !== undefined) return { ...file, ...joined, isPublished: true };
    return writeResult(results, async ({ id, directory }) => {
      const path = join(directory, file.filename);
      const job = { ...file.job, path, spoolDirectory: results.spoolDirectory };
      const extraction = writtenOf(await renderer.extract(job, options));
      await stat(path); // the promised file exists
      return { ...file, extraction, id, path };
    });
  };
  let next = 0;
  const work = async (ending: AbortSignal): Promise<void> => {
    while (next < files.length) {
      const i = next++;
      written[i] = await write(files[i]!, i, ending);
    }
  };
  try {
    await runTogether(signal, (ending) => Array.from({ length: Math.min(PARALLEL, files.length) }, () => work(ending)));
    return written;
  } catch (error) {
    await Promise.all(written.map(({ id }) => results.remove(id).catch(() => {})));
    if (error instanceof SceneUnreadable) return error.scene;
    throw error;
  }
}

/** Units of a request: its pixels and bands, masks and pseudo bands aside; how many scenes they are taken from does not count. */
function unitsOf({ product, grid }: ExtractionSpec): number {
  const bands = product.bands.filter((band) => band.isPseudo !== true && !isMask(band)).length;
  return extractUnits({ ...grid, bands, is32Bit: product.sampleType === "float32" });
}

/** Bytes of the samples of a sample type. */
const SAMPLE_BYTES = { uint8: 1, uint16: 2, int16: 2, float32: 4 } as const satisfies Record<
  ExtractJob["sampleType"],
  number
>;
/** A file beside its samples: overviews of a third, what incompressible blocks gain, and tags. */
const FILE_OVERHEAD = 1.34;
const TAG_BYTES = 1_048_576;

/** Bytes that the files of a request have at most. */
function mostBytesOf({ product, grid, files }: ExtractionSpec): number {
  const { width, height } = grid;
  const bands = (product.math?.expressions ?? product.bands).length;
  const bytes = width * height * bands * SAMPLE_BYTES[product.sampleType];
  return Math.ceil(bytes * FILE_OVERHEAD) + TAG_BYTES * (files === "one" ? 1 : bands);
}
