import { execFileSync } from "node:child_process";
import { relative } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { searches } from "../../../test/tools/searches.ts";
import { damagesOf, firstRowsOf, tiffs } from "./damage/cases.ts";
import { outcomesOf, Tally } from "./damage/outcomes.ts";
import { type DamagedFile, GDAL, type Line, OURS, readCases } from "./damage/run.ts";
import { fixtures } from "./fixtures.ts";

/** The nightly run tries all; others a tenth of each kind for each file, the same each time. */
const PARTS = searches(10, 1);
const COUNTS = { cuts: [10 / PARTS, 20 / PARTS], header: 40 / PARTS, tables: 20 / PARTS, blocks: 40 / PARTS } as const;
const CASES = 10_530 / PARTS;
/** Windows of which the first rows are read, and those of one file. */
const WINDOWS = searches(200, 400);
const OF_A_FILE = searches(7, 20);
const MINUTES = 60_000;

const hasGdal = ((): boolean => {
  try {
    execFileSync("/usr/bin/python3", ["-c", "from osgeo import gdal"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(fixtures === undefined || !hasGdal)(`${130 / PARTS} damages of each fixture`, () => {
  const ours = new Tally();
  const gdal = new Tally();
  const faults: string[] = [];
  let peak: { mb: number; name: string } = { mb: 0, name: "" };
  let slowest: { ms: number; name: string } = { ms: 0, name: "" };

  beforeAll(async () => {
    const files = await Promise.all(
      tiffs(fixtures ?? "").map(async (path) => ({
        path,
        damages: await damagesOf(path, relative(fixtures ?? "", path), COUNTS),
      })),
    );
    const [read, judge] = await Promise.all([readCases(OURS, files), readCases(GDAL, files)]);
    for (const [f, { path, damages }] of files.entries()) {
      ours.add(damages, outcomesOf(read[f]!));
      gdal.add(damages, outcomesOf(judge[f]!));
      for (const result of read[f]!) {
        const of = `${relative(fixtures ?? "", path)}, ${JSON.stringify(damages[result.i] ?? "undamaged")}`;
        if ("ended" in result) faults.push(`${of}: ${result.ended}`);
        else note(result, of);
      }
    }
    console.table(ours.rows);
    console.info("GDAL on the same cases:");
    console.table(gdal.rows);
    console.info(
      `Most memory: ${Math.round(peak.mb)} MB (${peak.name}); longest: ${Math.round(slowest.ms)} ms (${slowest.name})`,
    );
  }, 40 * MINUTES);

  function note(line: Line, name: string): void {
    if (line.untyped !== undefined) faults.push(`${name}: ${line.untyped}`);
    if (line.peak > peak.mb) peak = { mb: line.peak, name };
    if (line.ms > slowest.ms) slowest = { ms: line.ms, name };
  }

  test(`are ${CASES} cases`, () => {
    expect([ours.total, gdal.total]).toEqual([CASES, CASES]);
  });

  test("never crash or hang the reader, and every error is a CogError", () => {
    expect(faults).toEqual([]);
  });

  test("never take more than 256 MB, Node's own memory among them", () => {
    expect(peak.mb).toBeGreaterThan(50);
    expect(peak.mb).toBeLessThan(256);
  });

  test("give wrong pixels in silence at most as often as GDAL", () => {
    expect(gdal.of("wrong")).toBeGreaterThan(0);
    expect(ours.of("wrong")).toBeLessThanOrEqual(gdal.of("wrong"));
  });

  test("are noticed at most places", () => {
    expect(ours.of("refused")).toBeGreaterThan(5000 / PARTS);
  });
});

describe.skipIf(fixtures === undefined || !hasGdal)(
  "one changed bit in a block of which the first rows are read",
  () => {
    const ours = new Tally();
    const gdal = new Tally();

    beforeAll(async () => {
      const files: DamagedFile[] = [];
      let left = WINDOWS;
      for (const path of tiffs(fixtures ?? "")) {
        const damages = await firstRowsOf(path, relative(fixtures ?? "", path), OF_A_FILE).catch(() => []);
        const its = damages.slice(0, left);
        if (its.length > 0) files.push({ path, damages: its });
        left -= its.length;
      }
      const [read, judge] = await Promise.all([readCases(OURS, files), readCases(GDAL, files)]);
      for (const [f, { damages }] of files.entries()) {
        ours.add(damages, outcomesOf(read[f]!));
        gdal.add(damages, outcomesOf(judge[f]!));
      }
      console.table({ ours: ours.rows.all, GDAL: gdal.rows.all });
    }, 10 * MINUTES);

    test(`is never shown: ${WINDOWS} windows`, () => {
      expect([ours.total, gdal.total]).toEqual([WINDOWS, WINDOWS]);
      expect(ours.of("wrong")).toBe(0);
      expect(ours.of("refused")).toBeGreaterThan(0.875 * WINDOWS);
    });
  },
);
