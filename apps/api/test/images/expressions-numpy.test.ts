import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { beforeAll, describe, expect, test } from "vitest";
import { hasGdal } from "../tools/gdal.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { pixelsOf } from "../tools/images.ts";
import { tileAt, warpedByGdal } from "../tools/warped.ts";

const SCENE = "S2B_T33TUL_20240704T100211_L2A";
const DAY = "2024-07-04";
const PLACE = tileAt(14, 13.35, 45.55);
const TILE = { set: "WebMercatorQuad", ...PLACE, size: 256 } as const;
const NAMES = { blue: "B02", green: "B03", red: "B04", nir: "B08" } as const;
/** Pixels of the scene's own, so that nothing is resampled. */
const BOUNDS = {
  bbox: [380_000, 5_040_000, 384_800, 5_044_800],
  properties: { crs: "http://www.opengis.net/def/crs/EPSG/0/32633" },
} as const;
const SIDE = 48;
const COUNT = 200;
/** Pixels of a tile of which one is compared. */
const EVERY = 13;

/** A number from 0 to 1, the same for the same seed: Park and Miller's generator. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** Arithmetic of some levels, as the grammar has it; numpy reads the same text with functions of these names. */
function expressionOf(random: () => number, levels: number): string {
  const pick = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)]!;
  const inner = (): string => expressionOf(random, levels - 1);
  if (levels === 0) return random() < 0.75 ? pick(Object.keys(NAMES)) : (0.05 + 3 * random()).toFixed(3);
  return pick([
    () => `(${inner()} + ${inner()})`,
    () => `(${inner()} - ${inner()})`,
    () => `${inner()} * ${inner()}`,
    () => `(${inner()} / (abs(${inner()}) + 0.3))`,
    () => `-${inner()} ** 2`,
    () => `sqrt(abs(${inner()}))`,
    () => `exp(-abs(${inner()}))`,
    () => `min(${inner()}, ${inner()})`,
    () => `max(${inner()}, ${inner()})`,
    () => `clamp(${inner()}, 0.1, 0.4)`,
    () => `where(${inner()} > ${inner()}, ${inner()}, ${inner()})`,
  ])();
}

const random = randomFrom(20_241_129);
const EXPRESSIONS = Array.from({ length: COUNT }, (_, i) => {
  const text = expressionOf(random, 1 + (i % 3));
  return Object.keys(NAMES).some((name) => text.includes(name)) ? text : `${text} + nir`;
});

/** Values of all expressions by numpy, of bands that are the same for each; one line for each expression. */
function byNumpy(bands: Readonly<Record<string, readonly number[]>>): readonly (readonly number[])[] {
  const output = execFileSync("/usr/bin/python3", [join(import.meta.dirname, "expressions.py")], {
    input: JSON.stringify({ bands, expressions: EXPRESSIONS }),
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  return output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as number[]);
}

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

async function processed(more: object): Promise<readonly ArrayLike<number>[]> {
  const response = await service.post("/v1/process", {
    input: { bounds: BOUNDS, data: [{ type: "sentinel-2-l2a", dataFilter: { ids: [SCENE] } }] },
    output: { width: SIDE, height: SIDE, crs: "EPSG:32633" },
    ...more,
  });
  expect(response.status).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  return (await readWindow(cog, 0, { x: 0, y: 0, width: SIDE, height: SIDE })).bands;
}

/** Mean and count of each expression by statistics, some in each request. */
async function means(): Promise<readonly { readonly mean: number; readonly count: number }[]> {
  const all: { mean: number; count: number }[] = [];
  for (let from = 0; from < COUNT; from += 25) {
    const part = EXPRESSIONS.slice(from, from + 25);
    const response = await service.post("/v1/statistics", {
      input: { bounds: BOUNDS, data: [{ type: "sentinel-2-l2a" }] },
      aggregation: {
        timeRange: { from: DAY, to: DAY },
        aggregationInterval: { of: "P1D" },
        width: SIDE,
        height: SIDE,
      },
      cloudMask: { exclude: [] },
      calculations: { expressions: Object.fromEntries(part.map((text, i) => [`e${i}`, text])) },
    });
    const answer = (await response.json()) as {
      data: { outputs: Record<string, { stats: { mean: number; sampleCount: number; noDataCount: number } }> }[];
    };
    expect([response.status, answer]).toEqual([200, expect.anything()]);
    for (const [i] of part.entries()) {
      const { mean, sampleCount, noDataCount } = answer.data[0]!.outputs[`e${i}`]!.stats;
      all.push({ mean, count: sampleCount - noDataCount });
    }
  }
  return all;
}

describe.skipIf(!hasGdal)(`${COUNT} random expressions`, () => {
  const names = Object.keys(NAMES);

  test("are different ones, of all bands and functions", () => {
    expect(new Set(EXPRESSIONS).size).toBeGreaterThan(0.9 * COUNT);
    const text = EXPRESSIONS.join();
    for (const word of [...names, "sqrt", "exp", "min", "max", "clamp", "where", "**", "/"])
      expect(text).toContain(word);
  });

  test("are numpy's numbers as a file and as statistics", { tags: ["IM9", "ST1"] }, async () => {
    const stored = await processed({ bands: names });
    // numbers of the archive have four decimals, of which the file has what single precision holds
    const reflectance = stored.map((band) => Array.from(band, (value) => Math.round(value * 10_000) / 10_000));
    expect(reflectance.flat().every(Number.isFinite)).toBe(true);
    const expected = byNumpy(Object.fromEntries(names.map((name, i) => [name, reflectance[i]!])));
    const found = await means();
    for (const [i, expression] of EXPRESSIONS.entries()) {
      const values = expected[i]!;
      const { mean, count } = found[i]!;
      const exact = values.reduce((sum, value) => sum + value, 0) / values.length;
      const isClose = Math.abs(mean - exact) <= 1e-9 * Math.max(1e-3, Math.abs(exact));
      expect({ expression, mean, exact, count, isClose }).toEqual({
        expression,
        mean,
        exact,
        count: values.length,
        isClose: true,
      });
      const [file = []] = await processed({ expression });
      const single = Float32Array.from(values);
      const wrong = [...single.keys()].filter(
        (at) => Math.abs(file[at]! - single[at]!) > 2e-7 * Math.max(0.1, Math.abs(single[at]!)),
      );
      expect({ expression, wrong }).toEqual({ expression, wrong: [] });
    }
  });

  test("are numpy's levels as a tile", { tags: ["IM5"] }, async () => {
    const warped = await warpedByGdal(service, SCENE, Object.values(NAMES), TILE);
    // tiles are made of whole numbers, as they are stored
    const stored = warped.map((band) => Array.from(band).filter((_, at) => at % EVERY === 0));
    const reflectance = stored.map((band) => band.map((value) => (Math.round(value) - 1000) / 10_000));
    const expected = byNumpy(Object.fromEntries(names.map((name, i) => [name, reflectance[i]!])));
    for (const [i, expression] of EXPRESSIONS.entries()) {
      const values = expected[i]!;
      const sorted = Float64Array.from(values).sort();
      const [low, high] = [sorted[Math.floor(0.02 * sorted.length)]!, sorted[Math.floor(0.98 * sorted.length)]!];
      const range = `${low.toFixed(6)},${(high > low + 1e-3 ? high : low + 1).toFixed(6)}`;
      const [from = 0, to = 0] = range.split(",").map(Number);
      const query = new URLSearchParams({ datetime: DAY, expression, rescale: range });
      const { data } = await pixelsOf(
        await service.get(`/v1/tiles/custom/WebMercatorQuad/${PLACE.z}/${PLACE.x}/${PLACE.y}.png?${query}`),
      );
      let [compared, wrong] = [0, 0];
      for (const [at, value] of values.entries()) {
        const pixel = 4 * at * EVERY;
        if (stored.some((band) => band[at] === 0) || data[pixel + 3] === 0) continue;
        compared += 1;
        const level = Math.min(255, Math.max(0, ((value - from) / (to - from)) * 255));
        if (Math.abs(data[pixel]! - level) > 1.5) wrong += 1;
      }
      // where a comparison of two bands is nearly even, GDAL's single precision decides otherwise
      expect({ expression, isMost: compared > 0.95 * values.length, isRight: wrong <= compared / 500 }).toEqual({
        expression,
        isMost: true,
        isRight: true,
      });
    }
  });
});
