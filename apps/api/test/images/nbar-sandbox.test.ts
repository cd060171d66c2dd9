import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { anglesOfBand, readGranuleMetadata } from "@swath/engine/files";
import { resolveCrs, transformer } from "@swath/raster";
import { createTruth, planScenes } from "@swath/sandbox";
import { readArchiveInfo } from "@swath/sandbox/node";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { LANDSAT, S2 } from "../process/process-cases.ts";
import { FULL, sandboxServices, type TestService, testService } from "../tools/harness.ts";

const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
const toUtm = transformer(resolveCrs("EPSG:4326"), resolveCrs("EPSG:32633"));
const FIELDS = 20;
/** Metres around a point in which all is one field: half a pixel of Landsat and more. */
const AROUND = [-160, 0, 160];

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

test("scenes of the synthetic archive have angles: nbar of Sentinel-2, Landsat and both", {
  tags: ["OS17"],
}, async () => {
  for (const ids of [[S2.july], [S2.old], [S2.native], [LANDSAT.july], [S2.july, LANDSAT.july]]) {
    const response = await service.post("/v1/process", {
      input: {
        bounds: { bbox: [362_000, 5_040_000, 368_000, 5_046_000], properties: { crs: "EPSG:32633" } },
        data: [{ type: "optical-sr", dataFilter: { ids }, processing: { harmonize: "nbar" } }],
      },
      bands: ["red", "nir"],
      output: { crs: "EPSG:32633", width: 60, height: 60 },
    });
    expect([ids, response.status]).toEqual([ids, 200]);
  }
});

describe("granule metadata of the archive", () => {
  test("has the mean angles of the item", { tags: ["OS17"] }, async () => {
    const { catalog } = await sandboxServices({ registry: FULL.registry });
    const item = await catalog.item("sentinel-2-l2a", S2.july);
    const path = join(inject("sandbox"), (item?.assets.granule_metadata?.href ?? "").replace("archive:", ""));
    expect(await readdir(dirname(path))).toContain("B04.tif");
    const angles = anglesOfBand(readGranuleMetadata(await readFile(path, "utf8")), 3)?.angles ?? [];
    expect(angles).toHaveLength(23 * 23);
    const mean = (of: "sunZenith" | "viewZenith"): number =>
      angles.reduce((sum, each) => sum + (each?.[of] ?? Number.NaN), 0) / angles.length;
    const fact = (name: string): number => Number(item?.properties[name]);
    expect(Math.abs(90 - mean("sunZenith") - fact("view:sun_elevation"))).toBeLessThan(0.05);
    expect(Math.abs(mean("viewZenith") - fact("view:incidence_angle"))).toBeLessThan(0.3);
  });

  test("is served as XML", { tags: ["OS17"] }, async () => {
    const item = await service.get(`/v1/collections/sentinel-2-l2a/items/${S2.july}`);
    const { assets } = (await item.json()) as { assets: { granule_metadata: { href: string; type: string } } };
    const { href, type } = assets.granule_metadata;
    const response = await service.get(new URL(href).pathname);
    expect([response.status, type, response.headers.get("Content-Type")]).toEqual([
      200,
      "application/xml",
      "application/xml",
    ]);
    expect(await response.text()).toMatch(/^<\?xml .*<Tile_Angles/s);
  });
});

/** Where scenes of both sensors that are drawn with directions lie over fields: upper left centre of a pixel of Sentinel-2. */
const REGIONS = [
  {
    name: "in the west",
    box: [362_050, 5_042_050, 392_000, 5_072_000],
    sentinel: ["S2B_T33TUL_20210319T095331_L2A", "S2B_T33TUL_20260610T095331_L2A"],
    landsat: "LC09_L2SP_191028_20260603_02_T1",
  },
  {
    name: "in the east",
    box: [447_010, 5_042_050, 457_000, 5_072_000],
    sentinel: ["S2B_T33TVL_20210319T095331_L2A", "S2B_T33TVL_20260608T100211_L2A"],
    landsat: "LC09_L2SP_190028_20260612_02_T1",
  },
] as const;
interface Row {
  readonly itemId: string;
  readonly value: number | null;
}

/** The day in the id of a scene. */
const dayOf = (id: string): string => (/_(20\d{6})[T_]/.exec(id)?.[1] ?? "").replace(/(....)(..)(..)/, "$1-$2-$3");
const rms = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, each) => sum + each * each, 0) / values.length);
const largest = (values: readonly number[]): number => Math.max(...values.map(Math.abs));

test.each(REGIONS)(
  "NDVI of 20 fields $name: at nbar the truth, and sensors in different seasons ten times nearer than at bandpass_adjusted",
  { tags: ["OS17"] },
  async ({ box: [west, south, east, north], sentinel, landsat }) => {
    const truth = createTruth(await readArchiveInfo(inject("sandbox")));
    const corners = new Map(planScenes(new Date("2026-06-15")).map(({ id, bounds }) => [id, [bounds[0], bounds[3]]]));
    /** NDVI of what is at the centres of the pixels of a scene that a point is in, from straight above. */
    const ndviIn = (id: string, point: readonly [number, number]): number => {
      const [left = 0, top = 0] = corners.get(id) ?? [];
      const [x, y] = toUtm(...point);
      const at = (size: number) => {
        const [column, row] = [Math.floor((x - left) / size), Math.floor((top - y) / size)];
        return truth(...toDegrees(left + (column + 0.5) * size, top - (row + 0.5) * size), dayOf(id)).reflectance;
      };
      // the narrow near infrared of Sentinel-2 has pixels twice as wide as red
      const [{ red }, { nir08 }] = id.startsWith("S2") ? [at(100), at(200)] : [at(300), at(300)];
      return (nir08 - red) / (nir08 + red);
    };
    const scenes = [...sentinel, landsat];
    const isField = (x: number, y: number): boolean =>
      scenes.map(dayOf).every((day) => {
        const seen = AROUND.flatMap((dx) => AROUND.map((dy) => truth(...toDegrees(x + dx, y + dy), day)));
        return seen.every((at) => at.class === "crop" && at.cloud === 0 && at.shadow === 0);
      });
    const found: [number, number][] = [];
    for (let y = south; y < north; y += 400) {
      for (let x = west; x < east; x += 400) if (isField(x, y)) found.push(toDegrees(x, y));
    }
    const points = Array.from({ length: FIELDS }, (_, i) => found[Math.floor((i * found.length) / FIELDS)]!);
    expect(new Set(points.map(String)).size).toBe(FIELDS);
    /** Returns the errors of NDVI in each scene against the truth of its day, field by field. */
    const errorsAt = async (level: string): Promise<ReadonlyMap<string, readonly number[]>> => {
      const errors = new Map(scenes.map((id): [string, number[]] => [id, []]));
      for (const point of points) {
        const [lon, lat] = point;
        const query = `lon=${lon}&lat=${lat}&datetime=2021-03-01/2026-06-16&index=ndvi&harmonize=${level}`;
        const { series } = (await (await service.get(`/v1/timeseries?${query}`)).json()) as { series: Row[] };
        for (const [id, own] of errors) {
          const row = series.find(({ itemId }) => itemId === id);
          expect([id, row?.value]).toEqual([id, expect.any(Number)]);
          own.push((row?.value ?? 0) - ndviIn(id, point));
        }
      }
      return errors;
    };
    const [before, after] = [await errorsAt("bandpass_adjusted"), await errorsAt("nbar")];
    for (const id of scenes) expect(largest(after.get(id)!), id).toBeLessThan(0.0005);
    // fields grow between the days: each value is held against the truth of its own
    const apart = (errors: typeof before): number =>
      rms(errors.get(sentinel[0])!.map((each, i) => each - errors.get(landsat)![i]!));
    expect(apart(before)).toBeGreaterThan(0.002);
    expect(apart(after)).toBeLessThan(apart(before) / 10);
  },
);
