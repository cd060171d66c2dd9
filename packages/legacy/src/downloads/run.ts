import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Extraction } from "@swath/engine/node/jobs";
import { nodataFact, runTogether, writeResult } from "@swath/engine/node/jobs";
import { gridBounds } from "@swath/raster";
import type { JobRunOptions } from "@swath/store/jobs";
import { LegacyError } from "../errors.ts";
import type { DownloadParts } from "../service.ts";
import { type DownloadPlan, type DownloadSpec, type PlannedFile, planDownload } from "./plan.ts";

/** A written file as a record holds it: JSON, and without a link, which is made again each time it is shown. */
interface KeptFile {
  readonly result: string;
  readonly filename: string;
  readonly bytes: number;
}

interface MultibandFacts {
  readonly bands: readonly string[];
  /** value = scale × sample + offset; null where scenes of one mosaic differ. */
  readonly scales: readonly (number | null)[];
  readonly offsets: readonly (number | null)[];
  readonly dtype: string;
  readonly nodata: number | "nan" | null;
}

interface BandFacts {
  readonly band: string;
  readonly scale: number | null;
  readonly offset: number | null;
  readonly dtype: string;
  readonly nodata: number | "nan" | null;
  readonly valid_fraction: number;
  readonly items_used: readonly string[];
}

export type DownloadFile = KeptFile & (MultibandFacts | BandFacts);

/** Everything in a download's answer except its links. */
export interface DownloadFacts {
  readonly files: readonly DownloadFile[];
  readonly preview?: KeptFile & { readonly width: number; readonly height: number; readonly valid_fraction: number };
  readonly items_used: readonly string[];
  readonly items_considered: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly crs: string;
  readonly bounds: readonly number[];
  readonly transform: readonly number[];
  readonly resolution: readonly [number, number];
  readonly units: string;
  readonly harmonize: string;
  readonly clamp: boolean;
  readonly output: string;
  readonly seconds: number;
}

/** Files written at the same time. */
const PARALLEL = 3;
/** Unreadable scenes that one window works around before it gives up. */
const MAX_SKIPPED = 6;

/** A scene that can never be read. */
class Unreadable extends Error {
  override readonly name = "Unreadable";
  readonly scene: string;
  constructor(scene: string, reason: string) {
    super(`Scene ${scene} cannot be read: ${reason}`);
    this.scene = scene;
  }
}

/**
 * Searches the scenes of a download and writes its files and its preview. Where a scene of a window turns out
 * unreadable the others are taken; a named one fails the download. A run that fails or is aborted deletes its files.
 *
 * @throws {LegacyError} or {ProblemError}
 */
export async function runDownload(
  parts: DownloadParts,
  spec: DownloadSpec,
  options: JobRunOptions,
): Promise<DownloadFacts> {
  const started = performance.now();
  const without = new Set<string>();
  let plan = await planDownload(parts.catalog, spec, { signal: options.signal });
  for (;;) {
    const resultIds: string[] = [];
    try {
      const facts = await writeAll(parts, plan, resultIds, options);
      return { ...facts, seconds: Math.round(performance.now() - started) / 1000 };
    } catch (error) {
      await Promise.all(resultIds.map((id) => parts.results.remove(id)));
      if (!(error instanceof Unreadable)) throw error;
      if (spec.request.datetime == null || without.size >= MAX_SKIPPED) throw LegacyError.detail(502, error.message);
      without.add(error.scene);
    }
    plan = await planDownload(parts.catalog, spec, { signal: options.signal, without });
  }
}

async function writeAll(
  parts: DownloadParts,
  plan: DownloadPlan,
  resultIds: string[],
  { signal, onProgress }: JobRunOptions,
): Promise<Omit<DownloadFacts, "seconds">> {
  const { spec, frame, grid, files } = plan;
  const { request, product } = spec;
  const progress = files.map(() => 0);
  const report = (i: number, done: number): void => {
    progress[i] = done;
    onProgress?.(progress.reduce((sum, each) => sum + each, 0) / files.length);
  };
  const written: { file: DownloadFile; used: readonly string[] }[] = [];
  let next = 0;
  const work = async (ending: AbortSignal): Promise<undefined> => {
    while (next < files.length) {
      const i = next++;
      written[i] = await writeFileOf(parts, plan, files[i] as PlannedFile, resultIds, ending, (done) =>
        report(i, done),
      );
    }
  };
  // one file that fails ends the others; what was begun has to end before its results are removed
  const [preview] = await runTogether(signal, (ending) => [
    renderPreview(parts, plan, resultIds, ending),
    ...Array.from({ length: Math.min(PARALLEL, files.length) }, () => work(ending)),
  ]);
  const used = new Set(written.flatMap((each) => each.used));
  return {
    files: written.map(({ file }) => file),
    ...(preview === undefined ? {} : { preview }),
    items_used: plan.items.map(({ id }) => id).filter((id) => used.has(id)),
    items_considered: plan.considered,
    width: grid.width,
    height: grid.height,
    crs: frame.crs.name,
    bounds: gridBounds(grid),
    transform: grid.transform,
    resolution: [Math.abs(grid.transform[0]), Math.abs(grid.transform[4])],
    units: product.units,
    harmonize: product.harmonize,
    clamp: request.clamp,
    output: request.output,
  };
}

async function writeFileOf(
  { renderer, results }: DownloadParts,
  { spec }: DownloadPlan,
  { filename, job }: PlannedFile,
  resultIds: string[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<{ file: DownloadFile; used: readonly string[] }> {
  // each file is a result of its own, since a result is published as a whole
  return writeResult(results, async ({ id, directory }) => {
    const path = join(directory, filename);
    const outcome = await renderer.extract(
      { ...job, path, spoolDirectory: results.spoolDirectory },
      { signal, onProgress },
    );
    if (outcome.kind === "unreadable") throw new Unreadable(outcome.scene, outcome.reason);
    await stat(path); // the promised file exists
    await results.publish(id, filename);
    resultIds.push(id);
    const kept = { result: id, filename, bytes: outcome.bytes };
    const details = spec.request.output === "multiband" ? multibandFacts(job, outcome) : bandFacts(job, outcome);
    return { file: { ...kept, ...details }, used: outcome.used };
  });
}

function multibandFacts({ sampleType, nodata }: PlannedFile["job"], { bands }: Extraction): MultibandFacts {
  return {
    bands: bands.map(({ name }) => name),
    scales: bands.map(({ scale }) => scale ?? null),
    offsets: bands.map(({ offset }) => offset ?? null),
    dtype: sampleType,
    nodata: nodataFact(nodata),
  };
}

function bandFacts({ sampleType, nodata }: PlannedFile["job"], { bands, used }: Extraction): BandFacts {
  const [band] = bands;
  return {
    band: band?.name ?? "",
    scale: band?.scale ?? null,
    offset: band?.offset ?? null,
    dtype: sampleType,
    nodata: nodataFact(nodata),
    valid_fraction: band?.validFraction ?? 0,
    items_used: used,
  };
}

async function renderPreview(
  { renderer, results }: DownloadParts,
  { preview }: DownloadPlan,
  resultIds: string[],
  signal: AbortSignal,
): Promise<DownloadFacts["preview"]> {
  if (preview === undefined) return undefined;
  const image = await renderer.render(preview, { signal });
  const filename = "preview.png";
  const result = await writeResult(results, async ({ id, directory }) => {
    await writeFile(join(directory, filename), image.bytes);
    await results.publish(id, filename);
    resultIds.push(id);
    return id;
  });
  const { width, height } = preview.grid;
  const valid_fraction = image.validFraction ?? 0;
  return { result, filename, bytes: image.bytes.byteLength, width, height, valid_fraction };
}
