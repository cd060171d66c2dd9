import { rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ExtractedFile } from "@swath/engine/node";
import { fileFacts, type TileJob, writeResult } from "@swath/engine/node/jobs";
import type { JobRunOptions } from "@swath/store/jobs";
import type { DownloadParts } from "../service.ts";
import { type DownloadSpec, planPreview, prepareDownload } from "./plan.ts";

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

/**
 * Searches the scenes of a download and writes its files and its preview. Where a scene of a window turns out
 * unreadable the others are taken; a named one fails the download. A run that fails or is aborted deletes its files.
 *
 * @throws {LegacyError} or {Refusal}
 */
export async function runDownload(
  parts: DownloadParts,
  spec: DownloadSpec,
  options: Omit<JobRunOptions, "id">,
): Promise<DownloadFacts> {
  const started = performance.now();
  const { named, run } = await prepareDownload(parts, spec, options);
  const { plan, files } = await run(options);
  try {
    const preview = planPreview(spec, plan.items, plan.job.grid, parts.registry);
    // one after the other: where one fails, none is being published when all are removed
    const kept: DownloadFile[] = [];
    for (const file of files) kept.push(await publishFile(parts, spec, file));
    const used = new Set(files.flatMap(({ extraction }) => extraction.used));
    const ids = plan.items.map(({ id }) => id);
    const { width, height, crs, bounds, transform } = fileFacts(files[0]!);
    return {
      files: kept,
      ...(preview === undefined ? {} : { preview: await renderPreview(parts, preview, options.signal) }),
      items_used: ids.filter((id) => used.has(id)),
      items_considered: named ?? ids,
      width,
      height,
      crs,
      bounds,
      transform,
      resolution: [Math.abs(transform[0]!), Math.abs(transform[4]!)],
      units: plan.job.units,
      harmonize: plan.job.harmonize,
      clamp: spec.request.clamp,
      output: spec.request.output,
      seconds: Math.round(performance.now() - started) / 1000,
    };
  } catch (error) {
    // what cannot be removed now is removed with old results: the caller gets the first fault
    await Promise.all(files.map(({ id }) => parts.results.remove(id).catch(() => {})));
    throw error;
  }
}

type WrittenFile = ExtractedFile["files"][number];

/** Publishes a file by a name that begins with the collection as clients know it. */
async function publishFile(
  { results }: DownloadParts,
  { request, collection }: DownloadSpec,
  file: WrittenFile,
): Promise<DownloadFile> {
  const { id, path, extraction } = file;
  const filename = request.collection + file.filename.slice(collection.id.length);
  await rename(path, join(dirname(path), filename));
  await results.publish(id, filename);
  const { bytes, bands, scales, offsets, dtype, nodata } = fileFacts(file);
  const kept = { result: id, filename, bytes };
  if (request.output === "multiband") return { ...kept, bands, scales, offsets, dtype, nodata };
  const [band] = extraction.bands;
  return {
    ...kept,
    band: bands[0]!,
    scale: scales[0]!,
    offset: offsets[0]!,
    dtype,
    nodata,
    valid_fraction: band!.validFraction ?? 0,
    items_used: extraction.used,
  };
}

async function renderPreview(
  { renderer, results }: DownloadParts,
  job: TileJob,
  signal: AbortSignal,
): Promise<NonNullable<DownloadFacts["preview"]>> {
  const image = await renderer.render(job, { signal });
  const filename = "preview.png";
  const result = await writeResult(results, async ({ id, directory }) => {
    await writeFile(join(directory, filename), image.bytes);
    await results.publish(id, filename);
    return id;
  });
  const { width, height } = job.grid;
  const valid_fraction = image.validFraction ?? 0;
  return { result, filename, bytes: image.bytes.byteLength, width, height, valid_fraction };
}
