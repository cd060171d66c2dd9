import { createHash } from "node:crypto";
import { memorySource, readWindow } from "@swath/cog";
import { describe, expect, test } from "vitest";
import { openJp2 } from "../src/index.ts";
import { bytesOf, facts, fixture, names } from "./files.ts";

const TYPES = { Byte: "uint8", Int16: "int16", UInt16: "uint16", UInt32: "uint32" } as const;
const NOT_READ = ["twenty-bits.jp2", "two-components.jp2"];

test("there are facts of every test file", () => {
  expect(Object.keys(facts).sort()).toEqual([...names].sort());
});

describe.each(names.filter((name) => !NOT_READ.includes(name)))("%s", (name) => {
  const { type, colors, transform, epsg, levels } = facts[name]!;

  test("has the type, the colours and the place that GDAL finds", async () => {
    const jp2 = await openJp2(memorySource(fixture(name), name));
    expect(jp2.sampleType).toBe(TYPES[type]);
    expect(jp2.colorInterpretation).toEqual(colors.map((color) => color.toLowerCase()));
    expect(jp2.georeferenced).toBe(epsg !== null);
    if (epsg === null || transform === null) return;
    expect(jp2.grid.crs.name).toBe(`EPSG:${epsg}`);
    const [x, a, b, y, d, e] = transform as [number, number, number, number, number, number];
    for (const [i, value] of [a, b, x, d, e, y].entries()) expect(jp2.grid.transform[i]).toBeCloseTo(value, 9);
  });

  test("has in every resolution the samples that GDAL reads", async () => {
    const jp2 = await openJp2(memorySource(fixture(name), name));
    for (const [index, { width, height, sha256 }] of levels.entries()) {
      expect(jp2.levels[index]).toMatchObject({ width, height });
      const { bands } = await readWindow(jp2, index, { x: 0, y: 0, width, height });
      const digests = bands.map((band) => createHash("sha256").update(bytesOf(band)).digest("hex"));
      expect(digests, `level ${index}`).toEqual(sha256);
    }
  });
});

test.each([
  ["two-components.jp2", /2 components/],
  ["twenty-bits.jp2", /20 bits/],
])("%s is refused, with the reason", async (name, reason) => {
  await expect(openJp2(memorySource(fixture(name), name))).rejects.toMatchObject({
    name: "CogError",
    code: "unsupported",
    message: expect.stringMatching(reason),
  });
});
