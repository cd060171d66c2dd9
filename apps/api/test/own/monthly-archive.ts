import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Catalog, CatalogError, type Item } from "@swath/catalog";
import type { Source } from "@swath/cog";
import { encodeGeoTiff } from "@swath/encode";
import { nodeDeflate } from "@swath/encode/node";
import type { Renderer } from "@swath/engine/node";
import { inlineRenderer } from "@swath/engine/node";
import { createSources } from "@swath/engine/node/files";
import { type Grid, gridFromBounds, resolveCrs, type Samples } from "@swath/raster";

/** Corner and sizes of the scenes: 10 m, and 20 m of the mask. */
export const [WEST, NORTH] = [500_000, 5_000_000];
const CRS = resolveCrs("EPSG:32633");

export const gridOf = (side: number, pixel: number): Grid =>
  gridFromBounds(CRS, [WEST, NORTH - side * pixel, WEST + side * pixel, NORTH], side, side);

/** Numerical Recipes' linear congruential generator. */
export function noise(seed: number, count: number, low: number, high: number): Uint16Array {
  let state = seed;
  return Uint16Array.from({ length: count }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return low + ((state >>> 8) % (high - low));
  });
}

export interface MonthlyOptions {
  /** Pixels of 10 m a side, even. */
  readonly side: number;
  readonly blockSize: number;
  /** Months, 1 to 12, of which there are scenes: one on the 15th of each in 2024. */
  readonly months: readonly number[];
}

/** Writes red, nir and classes of each month as `{band}-{month}.tif`. */
export async function writeMonths({ side, blockSize, months }: MonthlyOptions): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "swath-months-"));
  const write = async (name: string, grid: Grid, samples: Samples): Promise<void> => {
    const valid = Uint8Array.from(samples, (value) => (value === 0 ? 0 : 1));
    const bytes = await encodeGeoTiff(
      { grid, bands: [samples], valid },
      { blockSize, nodata: 0, deflate: nodeDeflate, level: 1 },
    );
    await writeFile(join(directory, `${name}.tif`), bytes);
  };
  for (const month of months) {
    const half = side / 2;
    const classes = noise(100 + month, half * half, 0, 20).map((value) => (value === 0 ? 9 : value === 1 ? 3 : 4));
    await write(`B04-${month}`, gridOf(side, 10), noise(month, side * side, 1000, 3000));
    await write(`B08-${month}`, gridOf(side, 10), noise(50 + month, side * side, 2000, 6000));
    await write(`SCL-${month}`, gridOf(half, 20), Uint8Array.from(classes));
  }
  return directory;
}

/** The items of the months, as the service shows them. */
export function monthlyItems({ side, months }: Pick<MonthlyOptions, "side" | "months">): Item[] {
  // degrees around the scenes, generously: pixels decide
  const span = (side * 10) / 70_000;
  const ring = [
    [14.99, 45.16],
    [15.01 + span, 45.16],
    [15.01 + span, 45.14 - span],
    [14.99, 45.14 - span],
    [14.99, 45.16],
  ];
  return months.map((month) => ({
    type: "Feature",
    stac_version: "1.1.0",
    stac_extensions: [],
    id: `month-${month}`,
    collection: "sentinel-2-l2a",
    geometry: { type: "Polygon", coordinates: [ring] } as NonNullable<Item["geometry"]>,
    bbox: [14.99, 45.14 - span, 15.01 + span, 45.16],
    properties: { datetime: `2024-${String(month).padStart(2, "0")}-15T10:00:00Z`, "eo:cloud_cover": 10 },
    assets: Object.fromEntries(["B04", "B08", "SCL"].map((band) => [band, { href: `archive:${band}-${month}.tif` }])),
    links: [],
  }));
}

/** A catalog that gives some items in pages of five, and counts its searches. */
export function pagedCatalog(items: readonly Item[], fault?: { readonly onPage: number }) {
  const searches: number[] = [];
  const catalog: Catalog = {
    search: async ({ token }) => {
      const page = Number(token ?? 0);
      searches.push(page);
      if (page === fault?.onPage) throw new CatalogError("unavailable", "503 of the upstream", { retryAfter: 7 });
      const end = 5 * (page + 1);
      return { items: items.slice(end - 5, end), ...(end < items.length ? { next: String(page + 1) } : {}) };
    },
    item: async (_, id) => items.find((item) => item.id === id),
    extent: async () => ({ spatial: { bbox: [] }, temporal: { interval: [] } }),
    has: async () => true,
    ping: async () => {},
  };
  return { catalog, searches };
}

export interface RecordedRead {
  readonly file: string;
  readonly offset: number;
  readonly length: number;
}

/** A renderer in this thread whose reads of files and reduced groups are recorded; reads may be made to fail or to wait. */
export function recordingRenderer(
  directory: string,
  before: (file: string, signal: AbortSignal | undefined) => Promise<void> = async () => {},
) {
  const reads: RecordedRead[] = [];
  const groups: string[] = [];
  const sources = { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } };
  const sourceOf = createSources(sources);
  const inner = inlineRenderer({ blockCacheBytes: 64 << 20, sources }, (href): Source => {
    const source = sourceOf(href);
    const file = href.replace("archive:", "");
    return {
      key: source.key,
      get size() {
        return source.size;
      },
      get version() {
        return source.version;
      },
      read: async (offset, length, options) => {
        reads.push({ file, offset, length });
        await before(file, options?.signal);
        return source.read(offset, length, options);
      },
    };
  });
  const renderer: Renderer = {
    ...inner,
    extract: () => Promise.reject(new Error("Nothing is extracted here.")),
    compute: (job, options) =>
      inner.compute(job, {
        ...options,
        onGroup: (group) => {
          options.onGroup?.(group);
          groups.push(group.id);
        },
      }),
  };
  return { renderer, reads, groups };
}
