import { memorySource, openCog, readWindow } from "@swath/cog";
import { resolveCrs, transformer } from "@swath/raster";
import { createTruth } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { expect, inject, test } from "vitest";
import { LANDSAT, S2 } from "../process/process-cases.ts";
import { FULL, testService } from "../tools/harness.ts";

/** Where the archive has scenes of both sensors in their own pixel size: metres of EPSG:32633. */
const [WEST, SOUTH, EAST, NORTH] = [361_815, 5_039_415, 369_015 - 30, 5_046_615 - 30];
/** Edge of the squares whose means are compared, metres: a whole number of pixels of both sensors. */
const SQUARE = 60;
const AROUND = [-20, 10, 30, 50, 80];
const TOLERANCE = 0.003;

interface Means {
  readonly red: readonly number[];
  readonly nir: readonly number[];
}

/** Mean reflectance of each square, row by row. */
async function meansOf(id: string, pixel: number, harmonize: string): Promise<Means> {
  const service = await testService({}, { profile: FULL });
  const [width, height] = [(EAST - WEST) / pixel, (NORTH - SOUTH) / pixel];
  const response = await service.post("/v1/process", {
    input: {
      bounds: { bbox: [WEST, SOUTH, EAST, NORTH], properties: { crs: "EPSG:32633" } },
      data: [{ type: "optical-sr", dataFilter: { ids: [id] }, processing: { harmonize } }],
    },
    bands: ["red", "nir"],
    output: { crs: "EPSG:32633", width, height },
  });
  expect(response.ok || response.status === 303, await response.clone().text()).toBe(true);
  const file =
    response.status === 303
      ? await service.get(
          new URL(response.headers.get("Location") ?? "").pathname +
            new URL(response.headers.get("Location") ?? "").search,
        )
      : response;
  const cog = await openCog(memorySource(new Uint8Array(await file.arrayBuffer())));
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  const step = SQUARE / pixel;
  const means = (band: ArrayLike<number> = []): number[] => {
    const values: number[] = [];
    for (let row = 0; row + step <= height; row += step) {
      for (let column = 0; column + step <= width; column += step) {
        let sum = 0;
        for (let y = 0; y < step; y++) for (let x = 0; x < step; x++) sum += band[(row + y) * width + column + x] ?? 0;
        values.push(sum / step ** 2);
      }
    }
    return values;
  };
  return { red: means(bands[0]), nir: means(bands[1]) };
}

const ndviOf = ({ red, nir }: Means): number[] =>
  red.map((value, i) => ((nir[i] ?? 0) - value) / ((nir[i] ?? 0) + value));

test("NDVI of fields from Sentinel-2 and from Landsat 8 agree within 0.003, and are much further apart before", {
  tags: ["OS4"],
  timeout: 120_000,
}, async () => {
  const truth = createTruth(await readArchiveInfo(inject("sandbox")));
  const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
  const dates = { s2: "2026-06-13", landsat: "2026-06-11" };
  const columns = Math.floor((EAST - WEST) / SQUARE);
  /** NDVI of a square that is one field, as OLI measures it on a day; `undefined` for other squares. */
  const fieldNdvi = (i: number, date: string): number | undefined => {
    const [x, y] = [WEST + (i % columns) * SQUARE, NORTH - Math.floor(i / columns) * SQUARE];
    // a pixel around it too, since pixels of the two sensors do not share their edges
    let ndvi: number | undefined;
    for (const dx of AROUND) {
      for (const dy of AROUND) {
        const there = truth(...toDegrees(x + dx, y - dy), date);
        if (there.class !== "crop" || Math.abs(there.ndvi - (ndvi ?? there.ndvi)) > 1e-9) return undefined;
        ndvi = there.ndvi;
      }
    }
    return ndvi;
  };
  const adjusted = {
    s2: ndviOf(await meansOf(S2.native, 10, "bandpass_adjusted")),
    landsat: ndviOf(await meansOf(LANDSAT.native, 30, "bandpass_adjusted")),
  };
  const plain = ndviOf(await meansOf(S2.native, 10, "offset_removed"));
  let [fields, compared, worst, worstPlain, worstDirect] = [0, 0, 0, 0, 0];
  for (let i = 0; i < adjusted.s2.length; i++) {
    const [onS2, onLandsat] = [fieldNdvi(i, dates.s2), fieldNdvi(i, dates.landsat)];
    if (onS2 === undefined || onLandsat === undefined) continue;
    fields += 1;
    // two days lie between the scenes, in which crops grow: each is held against the truth of its day
    const [s2, landsat] = [(adjusted.s2[i] ?? 0) - onS2, (adjusted.landsat[i] ?? 0) - onLandsat];
    worst = Math.max(worst, Math.abs(s2), Math.abs(landsat), Math.abs(s2 - landsat));
    worstPlain = Math.max(worstPlain, Math.abs((plain[i] ?? 0) - onS2));
    if (Math.abs(onS2 - onLandsat) > 1e-4) continue;
    compared += 1;
    worstDirect = Math.max(worstDirect, Math.abs((adjusted.s2[i] ?? 0) - (adjusted.landsat[i] ?? 0)));
  }
  expect(fields).toBeGreaterThanOrEqual(20);
  expect(compared).toBeGreaterThan(0);
  expect(Math.max(worst, worstDirect)).toBeLessThanOrEqual(TOLERANCE);
  expect(worstPlain).toBeGreaterThan(10 * worst);
});

test.each(["landsat-7", "landsat-5"])(
  "NDVI from %s is what OLI would give, within 0.003",
  { tags: ["OS4"] },
  async (platform) => {
    const service = await testService({}, { profile: FULL });
    const truth = createTruth(await readArchiveInfo(inject("sandbox")));
    const query = { platform: { eq: platform } };
    const found = await (await service.post("/v1/search", { collections: ["optical-sr"], query, limit: 1 })).json();
    const [{ id, assets, properties }] = found.features;
    const [pixel, , west, , , north] = assets.SR_B3["proj:transform"];
    const [rows, columns] = assets.SR_B3["proj:shape"];
    const size = 120;
    const [left, top] = [
      west + pixel * Math.floor((columns - size) / 2),
      north - pixel * Math.floor((rows - size) / 2),
    ];
    const response = await service.post("/v1/process", {
      input: {
        bounds: {
          bbox: [left, top - size * pixel, left + size * pixel, top],
          properties: { crs: "EPSG:32633" },
        },
        data: [{ type: "optical-sr", dataFilter: { ids: [id] } }],
      },
      bands: ["red", "nir"],
      output: { crs: "EPSG:32633", width: size, height: size },
    });
    expect(response.status).toBe(200);
    const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
    const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: size, height: size });
    const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
    let [compared, worst] = [0, 0];
    for (let i = 0; i < size ** 2; i += 7) {
      const [red, nir] = [bands[0]?.[i] ?? Number.NaN, bands[1]?.[i] ?? Number.NaN];
      const [column, row] = [i % size, Math.floor(i / size)];
      const there = truth(
        ...toDegrees(left + (column + 0.5) * pixel, top - (row + 0.5) * pixel),
        String(properties.datetime),
      );
      if (Number.isNaN(red) || there.cloud > 0 || there.shadow > 0 || there.class === "water") continue;
      compared += 1;
      const { nir08, red: redThere } = there.reflectance;
      worst = Math.max(worst, Math.abs((nir - red) / (nir + red) - (nir08 - redThere) / (nir08 + redThere)));
    }
    expect(compared).toBeGreaterThan(500);
    expect(worst).toBeLessThanOrEqual(TOLERANCE);
  },
);
