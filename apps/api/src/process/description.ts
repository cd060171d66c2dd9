import { attributionFor, resolveCollection } from "@swath/schema";
import type { ExtractedBand, ExtractJob, ExtractScene } from "./extract-job.ts";

/** What the file says about itself. Which scenes gave pixels is known only after the last one. */
export interface Description {
  /** Handed to the writer, which reads it when it writes the directories. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly bands: readonly ExtractedBand[];
  /** Fills `metadata` and `bands` in. `used`: the scenes that gave pixels, first on top. */
  complete(used: readonly ExtractScene[]): { readonly bands: readonly ExtractedBand[]; readonly attribution: string };
}

type Growing<T> = { -readonly [K in keyof T]: T[K] };

export function describe(job: ExtractJob): Description {
  const metadata: Record<string, string> = { COLLECTION: job.collection, UNITS: job.units, HARMONIZE: job.harmonize };
  const bands: Growing<ExtractedBand>[] = job.bands.map((name) => ({ name }));
  return {
    metadata,
    bands,
    complete(used) {
      const scenes = used.length > 0 ? used : job.scenes;
      const times = scenes.flatMap(({ datetime }) => (datetime === null ? [] : [datetime])).sort();
      const attribution = creditLine(job.collection, times);
      metadata.ITEMS = used.map(({ id }) => id).join(",");
      if (times.length > 0) metadata.DATETIME = [...new Set([times[0], times.at(-1)])].join("/");
      metadata.ATTRIBUTION = attribution;
      bands.forEach((band, i) => {
        const found = scenes.map(({ assets }) => assets[i]).filter((asset) => asset !== undefined);
        const [first] = found;
        if (first === undefined) return;
        if (found.every(({ scale, offset }) => scale === first.scale && offset === first.offset)) {
          band.scale = first.scale;
          band.offset = first.offset;
          return;
        }
        // one pair of numbers would be wrong for some pixels: each scene's own are told instead
        metadata[`SCALE_OFFSET_${band.name}`] = scenes
          .map(({ id, assets }) => `${id}=${assets[i]?.scale},${assets[i]?.offset}`)
          .join(" ");
      });
      return { bands: bands.map((band) => ({ ...band })), attribution };
    },
  };
}

function creditLine(collection: string, times: readonly string[]): string {
  const years = times.map((time) => new Date(time).getUTCFullYear()).filter(Number.isFinite);
  return attributionFor(resolveCollection(collection), years);
}
