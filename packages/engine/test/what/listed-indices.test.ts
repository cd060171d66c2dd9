import { readFileSync } from "node:fs";
import { join } from "node:path";
import { evaluateExpression, parseExpression } from "@swath/raster";
import { indices, resolveIndex } from "@swath/schema/presets";
import { describe, expect, test } from "vitest";

/** Written by `listed-indices.py` from the formulas of Awesome Spectral Indices. */
const { reflectances, values } = JSON.parse(
  readFileSync(join(import.meta.dirname, "fixtures", "listed-indices.json"), "utf8"),
) as {
  readonly reflectances: Readonly<Record<string, readonly number[]>>;
  readonly values: Readonly<Record<string, readonly (number | null)[]>>;
};

/** Indices whose near infrared is the narrow one here, and the broad one in the list. */
const NARROW: readonly string[] = ["NBR", "NDBI", "NDMI", "NDREI"];
/** The published 2.4 is rounded: the list has 6 - 7.5 / 2.08. */
const ROUNDED = "EVI2";

function valuesOf(name: string): readonly (number | null)[] {
  const { bands, expression } = resolveIndex(name);
  const samples = bands.map((band) => {
    const read = band === "nir08" && NARROW.includes(name) ? "nir" : band;
    return Float64Array.from(reflectances[read] ?? []);
  });
  const count = samples[0]?.length ?? 0;
  const { values: results } = evaluateExpression(
    parseExpression(expression, bands),
    samples,
    new Uint8Array(count).fill(1),
    new Float64Array(count),
  );
  return [...results].map((value) => (Number.isNaN(value) ? null : value));
}

describe("indices of the list", () => {
  test("are all there, by the names that they have in it", () => {
    expect(Object.keys(values)).toHaveLength(indices.length);
    expect(new Set(Object.keys(values).map((name) => resolveIndex(name).id)).size).toBe(indices.length);
  });

  test.each(Object.entries(values))("%s is what numpy makes of its formula", (name, expected) => {
    const results = valuesOf(name);
    for (const [i, value] of expected.entries()) {
      const result = results[i] ?? null;
      if (value === null || result === null) expect(result).toBe(value);
      else expect(Math.abs(result - value)).toBeLessThanOrEqual((name === ROUNDED ? 3e-2 : 1e-9) * Math.abs(value));
    }
  });

  test("have ids and names of their own, and ranges", () => {
    const names = indices.flatMap(({ id, aliases }) => [id, ...aliases]);
    expect(new Set(names).size).toBe(names.length);
    for (const { id, range, source } of indices) {
      expect(id).toMatch(/^[a-z0-9-]+$/);
      expect(source).not.toBe("");
      expect(range[1], id).toBeGreaterThan(range[0]);
      expect(range.every(Number.isFinite), id).toBe(true);
    }
  });
});
