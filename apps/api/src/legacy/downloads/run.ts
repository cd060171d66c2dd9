import { stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ProblemError } from "@swath/problem";
import { gridBounds } from "@swath/raster";
import type { Extraction } from "../../process/extract-job.ts";
import type { Services } from "../../services.ts";
import { LegacyError } from "../errors.ts";
import { type DownloadPlan, type DownloadSpec, type PlannedFile, planDownload } from "./plan.ts";

/** A written file as a record holds it: JSON, and without a link, which is made anew each time it is shown. */
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
  readonly nodata: number | "nan";
}

interface BandFacts {
  readonly band: string;
  readonly scale: number | null;
  readonly offset: number | null;
  readonly dtype: string;
  readonly nodata: number | "nan";
  readonly valid_fraction: number;
  readonly items_used: readonly string[];
}

export type DownloadFile = KeptFile & (MultibandFacts | BandFacts);

/** Everything a download's answer says, but for its links. */
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

export interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number) => void;
}

export type Parts = Pick<Services, "catalog" | "renderer" | "results">;

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
 * Finds the scenes of a download and writes its files and its preview. Where a scene of a window turns out unreadable
 * the others are taken; a named one fails the download. Nothing is left behind by a run that fails or is aborted.
 *
 * @param first the plan, where it has been made already
 * @throws {LegacyError} or {ProblemError}
 */
export async function runDownload(
  parts: Parts,
  spec: DownloadSpec,
  options: RunOptions,
  first?: DownloadPlan,
): Promise<DownloadFacts> {
  const started = performance.now();
  const without = new Set<string>();
  let plan = first ?? (await planDownload(parts.catalog, spec, { signal: options.signal }));
  for (;;) {
    const places: string[] = [];
    try {
      const facts = await writeAll(parts, plan, places, options);
      return { ...facts, seconds: Math.round(performance.now() - started) / 1000 };
    } catch (error) {
      await Promise.all(places.map((id) => parts.results.remove(id)));
      if (!(error instanceof Unreadable)) throw error;
      if (spec.request.datetime == null || without.size >= MAX_SKIPPED) throw LegacyError.detail(502, error.message);
      without.add(error.scene);
    }
    plan = await planDownload(parts.catalog, spec, { signal: options.signal, without });
  }
}

async function writeAll(
  parts: Parts,
  plan: DownloadPlan,
  places: string[],
  { signal, onProgress }: RunOptions,
): Promise<Omit<DownloadFacts, "seconds">> {
  const { spec, frame, grid, files } = plan;
  const { request, product } = spec;
  // one file that fails ends the others
  const stop = new AbortController();
  const ending = AbortSignal.any([signal, stop.signal]);
  const progress = files.map(() => 0);
  const report = (i: number, done: number): void => {
    progress[i] = done;
    onProgress?.(progress.reduce((sum, each) => sum + each, 0) / files.length);
  };
  const written: { file: DownloadFile; used: readonly string[] }[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < files.length) {
      const i = next++;
      written[i] = await writeFileOf(parts, plan, files[i] as PlannedFile, places, ending, (done) => report(i, done));
    }
  };
  const preview = plan.preview === undefined ? undefined : drawPreview(parts, plan, places, ending);
  const all = [preview, ...Array.from({ length: Math.min(PARALLEL, files.length) }, work)];
  try {
    await Promise.all(all);
  } catch (error) {
    stop.abort(error);
    // what has been begun has to end before its places are removed
    await Promise.allSettled(all);
    signal.throwIfAborted();
    throw error;
  }
  const used = new Set(written.flatMap((each) => each.used));
  const drawn = await preview;
  return {
    files: written.map(({ file }) => file),
    ...(drawn === undefined ? {} : { preview: drawn }),
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
  { renderer, results }: Parts,
  { spec }: DownloadPlan,
  { filename, job }: PlannedFile,
  places: string[],
  signal: AbortSignal,
  onProgress: (done: number) => void,
): Promise<{ file: DownloadFile; used: readonly string[] }> {
  // each file has a place of its own, since a place is published as a whole
  const { id, directory } = await results.allocate();
  places.push(id);
  const path = join(directory, filename);
  const outcome = await renderer.extract(
    { ...job, path, spoolDirectory: results.spoolDirectory },
    { signal, onProgress },
  );
  if (outcome.kind === "unreadable") throw new Unreadable(outcome.scene, outcome.reason);
  await stat(path); // what is promised is there
  await results.publish(id, filename);
  const kept = { result: id, filename, bytes: outcome.bytes };
  const details = spec.request.output === "multiband" ? multibandFacts(spec, outcome) : bandFacts(spec, outcome);
  return { file: { ...kept, ...details }, used: outcome.used };
}

const nodataOf = ({ product }: DownloadSpec): number | "nan" => (Number.isNaN(product.nodata) ? "nan" : product.nodata);

function multibandFacts(spec: DownloadSpec, { bands }: Extraction): MultibandFacts {
  return {
    bands: bands.map(({ name }) => name),
    scales: bands.map(({ scale }) => scale ?? null),
    offsets: bands.map(({ offset }) => offset ?? null),
    dtype: spec.product.sampleType,
    nodata: nodataOf(spec),
  };
}

function bandFacts(spec: DownloadSpec, { bands, used }: Extraction): BandFacts {
  const [band] = bands;
  return {
    band: band?.name ?? "",
    scale: band?.scale ?? null,
    offset: band?.offset ?? null,
    dtype: spec.product.sampleType,
    nodata: nodataOf(spec),
    valid_fraction: band?.validFraction ?? 0,
    items_used: used,
  };
}

async function drawPreview(
  { renderer, results }: Parts,
  { preview }: DownloadPlan,
  places: string[],
  signal: AbortSignal,
): Promise<DownloadFacts["preview"]> {
  if (preview === undefined) throw new ProblemError("internal", "There is no preview to draw.");
  const picture = await renderer.render(preview, { signal });
  const { id, directory } = await results.allocate();
  places.push(id);
  const filename = "preview.png";
  await writeFile(join(directory, filename), picture.bytes);
  await results.publish(id, filename);
  const { width, height } = preview.grid;
  const valid_fraction = picture.validFraction ?? 0;
  return { result: id, filename, bytes: picture.bytes.byteLength, width, height, valid_fraction };
}
