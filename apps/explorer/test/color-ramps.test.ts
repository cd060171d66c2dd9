import { readFileSync } from "node:fs";
import { colormap } from "@swath/raster";
import { expect, test } from "vitest";
import { COLOR_RAMPS } from "../src/color-ramps.ts";

const PRESETS = new URL("../../../packages/schema/presets.json", import.meta.url);

test("there is a ramp for the colormap of every preset", () => {
  const presets: { colormap?: string }[] = JSON.parse(readFileSync(PRESETS, "utf8"));
  const used = presets.flatMap(({ colormap: name }) => (name === undefined ? [] : [name]));
  expect(used.length).toBeGreaterThan(3);
  expect(used.filter((name) => COLOR_RAMPS[name] === undefined)).toEqual([]);
});

test.each(Object.entries(COLOR_RAMPS))("%s has the colors of the colormap at even steps", (name, stops) => {
  const table = colormap(name);
  const expected = stops.map((_, i) => {
    const at = Math.round((i * 255) / (stops.length - 1)) * 4;
    return Buffer.from(table.subarray(at, at + 3)).toString("hex");
  });
  expect(stops).toEqual(expected);
});
