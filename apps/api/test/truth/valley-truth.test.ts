import { readFileSync } from "node:fs";
import { resolveCrs, transformer } from "@swath/raster";
import { createTruth, responseOfMsi, sensorReflectance, type Truth, VALLEY } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { beforeAll, expect, inject, test } from "vitest";
import { FULL, type TestService, testService } from "../tools/harness.ts";

interface Row {
  readonly datetime: string;
  readonly itemId: string;
  readonly value: number | null;
  readonly validFraction: number | null;
}

let service: TestService;
let truth: (lon: number, lat: number, date: string) => Truth;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
  truth = createTruth(await readArchiveInfo(inject("sandbox")));
});

/** Stored values are rounded to 0.0001 of reflectance: by so much an index of dark ground may differ. */
const ROUNDING = 0.004;
/** Some 25 m to each side, in degrees. */
const NEAR = [
  [0.0003, 0],
  [-0.0003, 0],
  [0, 0.0002],
  [0, -0.0002],
] as const;
const YEARS = VALLEY.years.join("/");

const indices: Readonly<Record<string, (reflectance: Truth["reflectance"]) => number>> = {
  ndvi: ({ nir, red }) => (nir - red) / (nir + red),
  nbr: ({ nir08, swir22 }) => (nir08 - swir22) / (nir08 + swir22),
};

test.each([
  ["wheat", "ndvi"],
  ["maize", "ndvi"],
  ["rape", "ndvi"],
  ["lucerne", "ndvi"],
  ["meadow", "ndvi"],
  ["forest", "ndvi"],
  ["burned", "nbr"],
  ["lake", "ndvi"],
] as const)(
  "two years of %s as %s are the truth of each clear day, whichever sensor saw it",
  { tags: ["TS11"] },
  async (place, index) => {
    const [lon, lat] = VALLEY.places[place];
    const answer = await service.get(`/v1/timeseries?lon=${lon}&lat=${lat}&datetime=${YEARS}&index=${index}`);
    const { series } = (await answer.json()) as { series: Row[] };
    expect(series).toHaveLength(164);
    const seen = { S2: 0, LC: 0 };
    for (const { datetime, itemId, value } of series) {
      const there = truth(lon, lat, datetime.slice(0, 10));
      // the centre of the pixel is up to 21 m from the point
      const around = NEAR.map(([east, north]) => truth(lon + east, lat + north, datetime.slice(0, 10)));
      // masks know clouds from a quarter of opacity on, and leave the haze around them
      if (around.some(({ cloud, shadow }) => cloud > 0 || shadow > 0)) {
        if (around.every(({ cloud }) => cloud >= 0.25)) expect([itemId, value]).toEqual([itemId, null]);
        continue;
      }
      expect([itemId, value]).toEqual([itemId, expect.any(Number)]);
      expect(Math.abs((value ?? 0) - indices[index]!(there.reflectance)), `${itemId} ${value}`).toBeLessThan(ROUNDING);
      seen[itemId.slice(0, 2) as "S2" | "LC"]++;
    }
    // more than half of the scenes of each sensor
    expect(seen.S2).toBeGreaterThan(37);
    expect(seen.LC).toBeGreaterThan(46);
  },
);

interface Statistics {
  readonly data: readonly {
    readonly outputs: Readonly<
      Record<
        "expression",
        {
          readonly stats: { readonly sampleCount: number; readonly noDataCount: number };
          readonly histogram: { readonly bins: readonly { readonly count: number }[] };
        }
      >
    >;
  }[];
}

/** West, south, east, north in metres of EPSG:32633. */
type Box = readonly [west: number, south: number, east: number, north: number];
/** A part of the plain with the river, and the hill that burned. */
const PLAIN: Box = [286_300, 5_067_500, 288_300, 5_069_500];
const HILL: Box = [283_900, 5_070_500, 286_100, 5_072_400];

/** Counts the pixels of a box that have an expression above a limit on a day, and all of them. */
async function countAbove(
  expression: string,
  limit: number,
  box: Box,
  day: string,
  crs = "EPSG:32633",
): Promise<[number, number]> {
  const answer = await service.post("/v1/statistics", {
    input: {
      bounds: { bbox: box, properties: { crs } },
      data: [{ type: "sentinel-2-l2a" }],
    },
    aggregation: { timeRange: { from: day, to: day } },
    expression,
    calculations: { default: { histogram: { bins: [-2, limit, 2] } } },
  });
  const { data } = (await answer.json()) as Statistics;
  const { stats, histogram } = data[0]!.outputs.expression;
  expect(stats.noDataCount).toBe(0);
  return [histogram.bins[1]!.count, stats.sampleCount];
}

const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));

/** The truth at the centres of all pixels of a box. */
function truthsIn([west, south, east, north]: Box, pixel: number, day: string): Truth[] {
  const [columns, rows] = [(east - west) / pixel, (north - south) / pixel];
  return Array.from({ length: columns * rows }, (_, i) => {
    const [lon, lat] = toDegrees(west + ((i % columns) + 0.5) * pixel, south + (Math.floor(i / columns) + 0.5) * pixel);
    return truth(lon, lat, day);
  });
}

test("the part of the plain with an NDWI above 0 is that which is under water: little before the flood, a third in it", async () => {
  const shares: number[] = [];
  for (const day of ["2023-05-06", "2023-05-16"]) {
    const [wet, all] = await countAbove("(green - nir) / (green + nir)", 0, PLAIN, day);
    const water = truthsIn(PLAIN, 10, day).filter((there) => there.class === "water").length;
    expect([all, wet]).toEqual([40_000, water]);
    shares.push(wet / all);
  }
  expect(shares[0]).toBeLessThan(0.06);
  expect(shares[1]).toBeGreaterThan(0.3);
});

test("the part of the hill with an NBR above 0.3 shrinks by what burned", async () => {
  const nbr = "(nir08 - swir22) / (nir08 + swir22)";
  // the CRS of the box makes pixels of 20 m that begin at its corner
  const counts: [number, number][] = [];
  for (const day of ["2022-08-09", "2022-08-19"]) {
    const [green, all] = await countAbove(nbr, 0.3, HILL, day);
    const seen = truthsIn(HILL, 20, day).map((there) => sensorReflectance(there, responseOfMsi("sentinel-2a")));
    const there = seen.filter((reflectance) => indices.nbr!(reflectance) > 0.3).length;
    expect(all).toBe(110 * 95);
    // stored values are rounded: some pixels are near the limit
    expect(Math.abs(green - there)).toBeLessThanOrEqual(5);
    counts.push([green, all]);
  }
  const hectares = (counts[0]![0] - counts[1]![0]) * 0.04;
  const burned = truthsIn(HILL, 20, "2022-08-19").filter((there) => there.class === "burned").length * 0.04;
  expect(hectares).toBeGreaterThan(0.85 * burned);
  expect(hectares).toBeLessThanOrEqual(burned);
});

const page = readFileSync(new URL("../../../../docs/concepts/sandbox.md", import.meta.url), "utf8");

/** Rows of the page's table of places: `| what | `lon, lat` | `index` | date: value, date: value |`. */
const rows = [...page.matchAll(/^\| (.*?) \| `([\d.]+), ([\d.]+)` \| `(\w+)` \| (.*?) \|$/gm)].map(
  ([, what = "", lon = "", lat = "", index = "", values = ""]) => ({ what, lon, lat, index, values }),
);

test("the page of the sandbox names all places of the valley but the village", () => {
  const { village: _, ...places } = VALLEY.places;
  expect(rows.map(({ lon, lat }) => [Number(lon), Number(lat)])).toEqual(Object.values(places));
});

test.each(rows)("the page of the sandbox is right about $what", async ({ lon, lat, index, values }) => {
  const answer = await service.get(`/v1/timeseries?lon=${lon}&lat=${lat}&datetime=${YEARS}&index=${index}`);
  const { series } = (await answer.json()) as { series: Row[] };
  const expected = values.split(", ").map((each) => each.split(": ") as [string, string]);
  const found = expected.map(([date]) => [
    date,
    series.find(({ datetime }) => datetime.startsWith(date))?.value?.toFixed(2),
  ]);
  expect(found).toEqual(expected);
});

test("the page of the sandbox is right about the shares of the flood", async () => {
  const expression = "(green - nir) / (green + nir)";
  const shares: string[] = [];
  for (const day of ["2023-05-06", "2023-05-16", "2023-05-26"]) {
    const [wet, all] = await countAbove(expression, 0, VALLEY.bbox, day, "EPSG:4326");
    shares.push(`${Math.round((100 * wet) / all)} %`);
  }
  const [first, ...others] = shares;
  expect(page).toContain(
    `NDWI is above 0 in ${first} on 6 May 2023, in ${others[0]} on 16 May and in ${others[1]} on 26 May.`,
  );
});
