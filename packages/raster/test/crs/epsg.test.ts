import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { listEpsgCodes } from "../../src/crs/epsg.ts";
import { type Crs, CrsError, loadCrs, resolveCrs, transformer } from "../../src/index.ts";

/** By code: `p` projected or `g` geographic, then longitude, latitude, x and y of points where PROJ has coordinates. */
const codes: Readonly<Record<string, readonly ["p" | "g", ...number[]]>> = JSON.parse(
  readFileSync(new URL("../fixtures/epsg-points.json", import.meta.url), "utf8"),
);
const degrees = resolveCrs("EPSG:4326");
const METRES_A_DEGREE = 111_320;

/** Metres between our coordinates and PROJ's, the most of all points, there and back. */
function distance(crs: Crs, points: readonly number[]): number {
  const there = transformer(degrees, crs);
  const back = transformer(crs, degrees);
  const unit = crs.geographic ? METRES_A_DEGREE : metresOfUnit(crs);
  const distances: number[] = [];
  for (let i = 0; i < points.length; i += 4) {
    const [longitude = 0, latitude = 0, x = 0, y = 0] = points.slice(i, i + 4);
    const scale = Math.cos((latitude * Math.PI) / 180);
    const turned = (a: number, b: number): number => ((((a - b + 180) % 360) + 360) % 360) - 180;
    const [onMapX, onMapY] = there(longitude, latitude);
    const [backX, backY] = back(x, y);
    distances.push(
      Math.hypot((crs.geographic ? turned(onMapX, x) * scale : onMapX - x) * unit, (onMapY - y) * unit),
      Math.hypot(turned(backX, longitude) * scale, backY - latitude) * METRES_A_DEGREE,
    );
  }
  return distances.some(Number.isNaN) ? Number.NaN : Math.max(...distances);
}

/** Returns the metres of a definition's unit, as PROJ's documentation has its units. */
function metresOfUnit({ proj4 }: Crs): number {
  const factor = /\+to_meter=(\S+)/.exec(proj4)?.[1];
  if (factor !== undefined) return Number(factor);
  const units: Readonly<Record<string, number>> = { ft: 0.3048, "us-ft": 1200 / 3937, km: 1000 };
  return units[/\+units=(\S+)/.exec(proj4)?.[1] ?? "m"] ?? 1;
}

interface Outcome {
  readonly code: string;
  readonly kind: string;
  readonly off?: number;
  readonly refusal?: string | undefined;
}

async function outcomeOf(code: string): Promise<Outcome> {
  const [kind, ...points] = codes[code]!;
  try {
    const crs = await loadCrs(`EPSG:${code}`);
    expect(crs.geographic).toBe(kind === "g");
    expect(points.length).toBeGreaterThan(0);
    return { code, kind, off: distance(crs, points) };
  } catch (error) {
    if (!(error instanceof CrsError)) throw error;
    expect(error).toMatchObject({ code: "unknown-crs", message: expect.stringContaining(`EPSG:${code} `) });
    return { code, kind, refusal: error.refusal };
  }
}

const REFUSALS = ["needs-grid-file", "no-datum-shift", "projection-not-supported"];

describe("EPSG codes that are loaded", () => {
  test("of all codes four of five are right to a metre, and none is wrong", async () => {
    const outcomes = await Promise.all(Object.keys(codes).map(outcomeOf));
    const projected = outcomes.filter(({ kind }) => kind === "p");
    const isRight = ({ off = Number.NaN }: Outcome): boolean => off < 1;
    const wrong = outcomes.filter((each) => !isRight(each) && !REFUSALS.includes(each.refusal ?? ""));
    expect(wrong).toEqual([]);
    const share = projected.filter(isRight).length / projected.length;
    console.log(
      `${projected.filter(isRight).length} of ${projected.length} projected codes, ${(100 * share).toFixed(1)} %`,
    );
    expect(share).toBeGreaterThan(0.8);
    for (const code of listEpsgCodes()) expect(codes[code], `EPSG:${code}`).toBeDefined();
  });

  test.each([
    [26741, "needs-grid-file", /needs a grid file/],
    [2327, "no-datum-shift", /datum without one shift/],
    [5513, "projection-not-supported", /order of axes/],
    [999_999, "unknown-code", /no code of a two-dimensional CRS/],
  ])("EPSG:%i is refused: %s", async (code, refusal, message) => {
    await expect(loadCrs(`EPSG:${code}`)).rejects.toMatchObject({
      name: "CrsError",
      code: "unknown-crs",
      refusal,
      message: expect.stringMatching(message),
    });
  });

  test.each([
    ["NAD83(2011) / UTM zone 15N", 6344],
    ["SIRGAS 2000 / UTM zone 23S", 31983],
    ["Amersfoort / RD New", 28992],
    ["NAD83 / California zone 5 (ftUS)", 2229],
    ["NAD83 / California Albers", 3310],
  ])("%s is among them, and resolves at once after it was loaded", async (_, code) => {
    const crs = await loadCrs(`urn:ogc:def:crs:EPSG::${code}`);
    expect(crs).toMatchObject({ name: `EPSG:${code}`, epsg: code, geographic: false });
    expect(resolveCrs(`EPSG:${code}`)).toBe(crs);
  });

  test("South African grids count to the west and the south, Colombian city grids on a plane at their height", async () => {
    // PROJ 9.1.1 with always_xy
    const lo19 = transformer(degrees, await loadCrs("EPSG:2048"))(18.5, -33.9);
    expect(lo19[0]).toBeCloseTo(46_246.675, 3);
    expect(lo19[1]).toBeCloseTo(3_752_681.842, 3);
    const arauca = transformer(degrees, await loadCrs("EPSG:6244"))(-70.7, 7.1);
    const back = transformer(await loadCrs("EPSG:6244"), degrees)(...arauca);
    expect(back[0]).toBeCloseTo(-70.7, 10);
    expect(back[1]).toBeCloseTo(7.1, 10);
  });

  test("names that are no EPSG codes load nothing", async () => {
    await expect(loadCrs("OGC:CRS83")).rejects.toMatchObject({ code: "unknown-crs", refusal: undefined });
    expect(await loadCrs("CRS84")).toBe(degrees);
  });
});
