import { nodataTag, type Product } from "../what/product.ts";
import type { ExtractionPlan } from "./extraction-plan.ts";

/** A file to write; where is decided later. */
export type PlannedFile = Pick<ExtractionPlan, "filename" | "job">;

/** The files of a plan: one of all bands, or a file for each of them, whose pixels are a mosaic of that band alone. */
export function filesOf({ spec, filename, job }: ExtractionPlan): readonly PlannedFile[] {
  if (spec.files === "one") return [{ filename, job }];
  const stem = filename.slice(0, -".tif".length);
  return job.bands.map((name, band) => ({
    filename: `${stem}_${name.replace(/[^\w.-]/g, "_")}.tif`,
    job: { ...bandOf(job, band), ...nodataOf(job, spec.product, band), countsValid: true },
  }));
}

/** A job for one of its bands: that band is read alone, or all that its expression may name. */
function bandOf({ math, fills, ...job }: PlannedFile["job"], band: number): PlannedFile["job"] {
  const only = <T>(each: readonly T[]): readonly T[] => each.slice(band, band + 1);
  const scenes = job.scenes.map(({ scales, read, ...scene }) => ({
    ...scene,
    scales: only(scales),
    read: math === undefined ? { ...read, files: only(read.files) } : read,
  }));
  const fill = fills?.[band];
  return {
    ...job,
    scenes,
    bands: only(job.bands),
    ...(math === undefined ? {} : { math: { ...math, expressions: only(math.expressions) } }),
    ...(fill === undefined ? {} : { fills: [fill] }),
  };
}

/** The nodata tag of a band's own file, where that of all bands has none. */
function nodataOf({ nodata }: PlannedFile["job"], product: Product, band: number): Pick<PlannedFile["job"], "nodata"> {
  return { nodata: nodata ?? nodataTag(product, product.bands.slice(band, band + 1)) };
}
