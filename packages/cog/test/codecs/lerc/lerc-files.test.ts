import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { memorySource, openCog, readWindow } from "../../../src/index.ts";
import { local } from "../../fixtures.ts";

/** SHA-256 of the raw samples of each band, as GDAL reads them, by file. */
const facts: Record<string, readonly string[]> = JSON.parse(
  readFileSync(new URL("../../fixtures/lerc/gdal.json", import.meta.url), "utf8"),
);

test.each(Object.keys(facts))("samples of %s, LERC written by GDAL, are GDAL's", async (name) => {
  const cog = await openCog(memorySource(local(`lerc/${name}`), name));
  expect(cog.levels[0]?.compression).toBe("LERC");
  const { width = 0, height = 0 } = cog.levels[0] ?? {};
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  const hashes = bands.map((band) =>
    createHash("sha256")
      .update(new Uint8Array(band.buffer, band.byteOffset, band.byteLength))
      .digest("hex"),
  );
  expect(hashes).toEqual(facts[name]);
});
