import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { portableCodecs } from "../src/codecs/codecs.ts";
import { type Codecs, memorySource, openCog, readWindow } from "../src/index.ts";
import { nodeCodecs } from "../src/node.ts";
import { bytesOf, local } from "./fixtures.ts";

interface Facts {
  readonly size: [number, number];
  readonly bands: string[];
  readonly valid: number;
  readonly transform: [number, number, number, number, number, number];
}

const facts: Record<string, Facts> = JSON.parse(
  readFileSync(new URL("./fixtures/facts.json", import.meta.url), "utf8"),
).files;
const names = Object.keys(facts);
const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

async function check(name: string, codecs: Codecs): Promise<void> {
  const fact = facts[name]!;
  const cog = await openCog(memorySource(local(name), name), { codecs });
  const [width, height] = fact.size;
  const raster = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  expect(raster.bands.map((band) => sha256(bytesOf(band)))).toEqual(fact.bands);
  // GDAL's mask of band 1 is its own; ours asks whether any band has data
  expect(raster.valid.reduce((sum, flag) => sum + flag, 0)).toBe(fact.valid);
  const [c, a, b, f, d, e] = fact.transform;
  expect([...cog.grid.transform]).toEqual([a, b, c, d, e, f]);
  expect(cog.grid.crs.name).toBe(name === "sparse-nodata.tif" ? "none" : "EPSG:32633");
}

test.each(names)("%s is read as GDAL reads it, with Node's codecs", (name) => check(name, nodeCodecs));

test.each(names)("%s is read as GDAL reads it, with portable codecs", (name) => check(name, portableCodecs));

test.each(
  names.flatMap((name) => [
    { name, kind: "node", codecs: nodeCodecs },
    { name, kind: "portable", codecs: portableCodecs },
  ]),
)("$name gives the same pixels row by row as at once with $kind codecs", async ({ name, codecs }) => {
  const [width, height] = facts[name]!.size;
  const cog = await openCog(memorySource(local(name), name), { codecs });
  const whole = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  for (const y of [0, 5, 15, 16, height - 1]) {
    const row = await readWindow(cog, 0, { x: 3, y, width: 20, height: 1 });
    row.bands.forEach((band, i) => {
      expect(band).toEqual(whole.bands[i]!.slice(y * width + 3, y * width + 23));
    });
  }
});
