import { attributionFor } from "@swath/schema";
import type { ExtractedBand, ExtractJob, ExtractScene } from "./extract-job.ts";

/** The metadata of a GeoTIFF. */
export interface Description {
  readonly metadata: Readonly<Record<string, string>>;
  readonly bands: readonly ExtractedBand[];
  readonly attribution: string;
}

type Growing<T> = { -readonly [K in keyof T]: T[K] };

/** @param used the scenes that gave pixels, first on top */
export function describe(job: ExtractJob, used: readonly ExtractScene[]): Description {
  const metadata: Record<string, string> = { COLLECTION: job.collection, UNITS: job.units, HARMONIZE: job.harmonize };
  const scenes = used.length > 0 ? used : job.scenes;
  const times = scenes.flatMap(({ datetime }) => (datetime === null ? [] : [datetime])).sort();
  const attribution = creditLine(job, times);
  metadata.ITEMS = used.map(({ read }) => read.id).join(",");
  if (times.length > 0) metadata.DATETIME = [...new Set([times[0], times.at(-1)])].join("/");
  metadata.ATTRIBUTION = attribution;
  const bands = job.bands.map((name, i): ExtractedBand => {
    const band: Growing<ExtractedBand> = { name };
    const found = scenes.map(({ scales }) => scales[i]).filter((scale) => scale !== undefined);
    const [first] = found;
    if (first === undefined) return band;
    if (found.every(({ scale, offset }) => scale === first.scale && offset === first.offset)) {
      band.scale = first.scale;
      band.offset = first.offset;
      return band;
    }
    // one pair of numbers would be wrong for some pixels, so each scene's own are listed
    metadata[`SCALE_OFFSET_${name}`] = scenes
      .map(({ read, scales }) => `${read.id}=${scales[i]?.scale},${scales[i]?.offset}`)
      .join(" ");
    return band;
  });
  return { metadata, bands, attribution };
}

function creditLine(job: ExtractJob, times: readonly string[]): string {
  const years = times.map((time) => new Date(time).getUTCFullYear()).filter(Number.isFinite);
  return attributionFor(job, years);
}
