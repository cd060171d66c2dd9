import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { damagesOf } from "./damage/cases.ts";
import { outcomesOf, Tally } from "./damage/outcomes.ts";
import { OURS, readCases } from "./damage/run.ts";
import { fixtures } from "./fixtures.ts";

// all files, beside GDAL: damage-all.long.test.ts
describe.skipIf(fixtures === undefined)("a few damages of three files", () => {
  test.each(["sparse-cog-lzw-128.tif", "bigendian-jpeg-cog.tif", "zstd-uint16-bigendian-4band.tif"])(
    "%s gives pixels or typed errors, in 256 MB",
    { timeout: 120_000 },
    async (file) => {
      const path = join(fixtures ?? "", "tiff/encodings", file);
      const damages = await damagesOf(path, file, { cuts: [3, 3], header: 10, tables: 4, blocks: 10 });
      const [results = []] = await readCases(OURS, [{ path, damages }]);
      const tally = new Tally();
      tally.add(damages, outcomesOf(results));
      expect(results.filter((result) => "untyped" in result || "ended" in result)).toEqual([]);
      expect(tally.total).toBe(30);
      expect(tally.of("refused")).toBeGreaterThan(5);
      for (const result of results) if ("peak" in result) expect(result.peak).toBeLessThan(256);
    },
  );
});
