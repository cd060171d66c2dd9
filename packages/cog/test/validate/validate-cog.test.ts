import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { CogError, memorySource, type Source } from "../../src/index.ts";
import { checkLayout } from "../../src/validate/check-layout.ts";
import { type CogLayout, readLayout } from "../../src/validate/cog-layout.ts";
import type { CogRuleId } from "../../src/validate/cog-rules.ts";
import { validateCog } from "../../src/validate/validate-cog.ts";
import { fixtures, local, RecordingSource } from "../fixtures.ts";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const hasCogCheck = ((): boolean => {
  try {
    execFileSync("/usr/bin/python3", ["-c", "import osgeo_utils.samples, numpy"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Our rule for each message of GDAL's validator. */
const RULES: readonly (readonly [message: RegExp, rule: CogRuleId])[] = [
  [/not tiled$/, "tiles"],
  [/recommended to include internal overviews/, "overviews"],
  [/has larger dimension/, "overview-order"],
  [/offset of the main IFD should be/, "first-directory"],
  [/offset of the IFD for overview/, "directory-order"],
  [/should be after its IFD/, "data-after-directories"],
  [/offset of the first block .* should be after the one/, "data-order"],
  [/KNOWN_INCOMPATIBLE_EDITION/, "edited"],
  [/is smaller than previous block/, "block-order"],
  [/size in leader bytes/, "block-leader"],
  [/trailer bytes are invalid/, "block-trailer"],
  [/^Mask of .* was expected|mask block size is different/, "mask-interleaved"],
];
const ruleOf = (message: string): string => RULES.find(([pattern]) => pattern.test(message))?.[1] ?? message;
/** Rules that GDAL has too. */
const GDALS = new Set<string>(RULES.map(([, rule]) => rule));

const folder = mkdtempSync(join(tmpdir(), "swath-validate-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const bytesOf = (file: string): Uint8Array => new Uint8Array(readFileSync(file));
const all = { frames: Number.POSITIVE_INFINITY };

describe.skipIf(!hasCogCheck)("beside GDAL's validator", () => {
  const others = [
    ...globSync("fixtures/*.tif", { cwd: HERE }).map((name) => join(HERE, name)),
    ...(fixtures === undefined ? [] : globSync("{cog,tiff}/**/*.{tif,TIF}", { cwd: fixtures })).map((name) =>
      join(fixtures ?? "", name),
    ),
  ];
  const printed = hasCogCheck
    ? execFileSync("/usr/bin/python3", [join(HERE, "validate.py"), folder, ...others], {
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 1e8,
      }).toString()
    : "{}";
  const found = JSON.parse(printed) as Record<string, readonly [errors: string[], warnings: string[]] | string>;

  test("GDAL and we break the same rules, file by file", async () => {
    const compared: string[] = [];
    const differences: unknown[] = [];
    for (const [file, verdict] of Object.entries(found)) {
      if (typeof verdict === "string") continue;
      const own = await validateCog(memorySource(bytesOf(file), file), all).catch((error: unknown) => {
        // what is not read at all is refused with a reason
        if (error instanceof CogError) return undefined;
        throw error;
      });
      if (own === undefined) continue;
      compared.push(basename(file));
      const ours = new Set(own.map(({ rule }) => rule).filter((rule) => GDALS.has(rule)));
      const theirs = new Set(verdict.flat().map(ruleOf));
      if ([...ours].sort().join() !== [...theirs].sort().join()) {
        differences.push({ file: basename(file), ours: [...ours], theirs: [...theirs], verdict });
      }
      // an error of one is an error of the other; that a file was cut off is ours alone
      const errors = own.filter(({ severity, rule }) => severity === "error" && rule !== "blocks-in-file");
      expect(errors.length > 0, basename(file)).toBe(verdict[0].length > 0);
    }
    expect(differences).toEqual([]);
    expect(compared.length).toBeGreaterThan(60);
  });

  test.each([
    ["cog.tif", []],
    ["cog-bigtiff.tif", ["nodata"]],
    ["cog-none.tif", ["compression", "compression", "compression", "compression", "nodata"]],
    ["cog-mask.tif", []],
    ["cog-no-overviews.tif", ["overviews", "nodata"]],
    ["cog-edited.tif", ["edited", "block-order", "nodata"]],
    ["cog-leader.tif", ["block-leader"]],
    ["cog-trailer.tif", ["block-trailer"]],
    ["cog-sparse.tif", []],
    ["tiled.tif", ["overviews", "nodata"]],
    ["tiled-overviews-last.tif", ["data-order", "data-order", "smallest-overview", "nodata"]],
    ["strips.tif", ["tiles", "overviews", "compression", "nodata"]],
    ["small-strips.tif", ["no-strips", "nodata"]],
  ])("%s breaks the rules %j", async (name, rules) => {
    const own = await validateCog(memorySource(bytesOf(join(folder, name))), all);
    expect(own.map(({ rule }) => rule)).toEqual(rules);
  });
});

test("each finding says what was found, what was expected, how grave it is and where the rule is written", async () => {
  expect(await validateCog(memorySource(local("single-strip-none.tif")))).toContainEqual({
    rule: "no-strips",
    severity: "warning",
    title: "every image is tiled",
    source: "OGC 21-026 (Cloud Optimized GeoTIFF 1.0), /req/geotiff-format/tiling",
    detail: expect.stringMatching(/^The full image is stored in strips of \d+ rows\.$/),
  });
});

test("a file that is no TIFF is refused with its reason", async () => {
  await expect(validateCog(memorySource(new TextEncoder().encode("<html>not a file</html>")))).rejects.toMatchObject({
    code: "not-a-tiff",
  });
});

test.skipIf(!hasCogCheck)("of a COG the header is read, and two places at each of 16 blocks an image", async () => {
  const source = new RecordingSource(bytesOf(join(folder, "cog.tif")));
  expect(await validateCog(source)).toEqual([]);
  const layout = await readLayout(memorySource(bytesOf(join(folder, "cog.tif"))));
  const checked = layout.levels.reduce((sum, { image }) => sum + image.frames.length, 0);
  expect(layout.levels.map(({ image }) => image.frames.length)).toEqual([16, 9, 4, 1]);
  expect(source.reads.filter(({ length }) => length > 8)).toEqual([{ offset: 0, length: 32_768 }]);
  // and the last byte of the last block, since this source does not tell its size
  expect(source.reads).toHaveLength(2 + 2 * checked);
});

test.each([
  { name: "zstd-uint16.tif", isTold: true },
  { name: "zstd-uint16.tif", isTold: false },
  { name: "planar-uint16-pred2-strips.tif", isTold: true },
  { name: "internal-mask.tif", isTold: true },
])("blocks of $name that a cut left outside are counted, size told: $isTold", async ({ name, isTold }) => {
  const whole = local(name);
  const isOutside = ({ rule }: { readonly rule: string }): boolean => rule === "blocks-in-file";
  const source = (bytes: Uint8Array): Source => {
    const { key, size, read } = memorySource(bytes, name);
    return isTold ? { key, size, read } : { key, read };
  };
  expect((await validateCog(source(whole))).filter(isOutside)).toEqual([]);
  const layout = await readLayout(source(whole));
  const pages = layout.levels.flatMap(({ image, mask }) => (mask === undefined ? [image] : [image, mask]));
  const ends = pages.flatMap(({ offsets, sizes }) => [...offsets].map((offset, i) => offset + (sizes[i] ?? 0)));
  const cut = whole.subarray(0, Math.max(...ends) - 1);
  const found = (await validateCog(source(cut))).filter(isOutside);
  expect(found).toMatchObject([
    { severity: "error", detail: expect.stringContaining(`the file at byte ${cut.length}`) },
  ]);
});

const image = fc.record({
  directory: fc.nat(1e6),
  width: fc.integer({ min: 1, max: 20_000 }),
  height: fc.integer({ min: 1, max: 20_000 }),
  tiled: fc.boolean(),
  blockWidth: fc.integer({ min: 1, max: 4096 }),
  blockHeight: fc.integer({ min: 1, max: 4096 }),
  compressed: fc.boolean(),
  offsets: fc.array(fc.nat(1e9), { maxLength: 8 }).map((values) => Float64Array.from(values)),
  sizes: fc.array(fc.nat(1e6), { maxLength: 8 }).map((values) => Float64Array.from(values)),
  outside: fc.array(fc.record({ block: fc.nat(9), offset: fc.nat(1e9), size: fc.nat(1e6) }), { maxLength: 2 }),
  frames: fc.array(
    fc.record({ block: fc.nat(9), leader: fc.option(fc.nat(), { nil: undefined }), repeats: fc.boolean() }),
  ),
});
const layouts: fc.Arbitrary<CogLayout> = fc
  .record({
    bytes: fc.nat(1e9),
    headBytes: fc.constantFrom(8, 16),
    levels: fc.array(
      fc.record({ image, mask: fc.option(image, { nil: undefined }) }).map(({ image: own, mask }) => ({
        image: own,
        ...(mask === undefined ? {} : { mask }),
      })),
      { minLength: 1, maxLength: 5 },
    ),
    marksGaps: fc.boolean(),
  })
  .chain((layout) =>
    fc
      .subarray([
        "BLOCK_ORDER=ROW_MAJOR",
        "BLOCK_LEADER=SIZE_AS_UINT4",
        "BLOCK_TRAILER=LAST_4_BYTES_REPEATED",
        "MASK_INTERLEAVED_WITH_IMAGERY=YES",
      ])
      .map((lines) => ({ ...layout, ghost: { lines, end: 200 } })),
  );

test("any layout is judged, errors before warnings, and claims count only where they are made", () => {
  fc.assert(
    fc.property(layouts, (layout) => {
      const found = checkLayout(layout);
      const severities = found.map(({ severity }) => severity);
      expect(severities).toEqual([...severities].sort());
      const without = checkLayout({ ...layout, ghost: { lines: [], end: layout.ghost?.end ?? 0 } });
      expect(without.some(({ rule }) => /^(block-|mask-inter)/.test(rule))).toBe(false);
      expect(found.filter(({ rule }) => !/^(block-|mask-inter)/.test(rule))).toEqual(without);
    }),
  );
});
