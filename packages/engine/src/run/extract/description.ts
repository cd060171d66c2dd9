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
  const attribution = creditLine(job, scenes);
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

/** The credit line of the scenes; several, separated by semicolons, where they come from different producers. */
function creditLine(job: ExtractJob, scenes: readonly ExtractScene[]): string {
  const lines = new Set(scenes.map(({ attribution }) => attribution ?? job.attribution));
  const written = [...(lines.size === 0 ? [job.attribution] : lines)].map((attribution) => {
    const own = scenes.filter((scene) => (scene.attribution ?? job.attribution) === attribution);
    const years = own.flatMap(({ datetime }) => (datetime === null ? [] : [new Date(datetime).getUTCFullYear()]));
    return attributionFor({ attribution }, years.filter(Number.isFinite));
  });
  return written.join("; ");
}
