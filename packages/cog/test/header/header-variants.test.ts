import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { memorySource, openCog, readWindow } from "../../src/index.ts";

/** Made by `fixtures/header-variants.py`: a file in base64, and what GDAL reads of it; null where it reads nothing. */
interface Variant {
  readonly name: string;
  readonly file: string;
  readonly gdal: {
    readonly type: string;
    readonly nodata: string;
    readonly colors: readonly string[];
    readonly samples: readonly (readonly number[])[];
  } | null;
}

const VARIANTS = JSON.parse(
  readFileSync(new URL("../fixtures/header-variants.json", import.meta.url), "utf8"),
) as Variant[];

/** Files that GDAL reads and we refuse: no writer makes them, so one of their numbers is damaged. */
const REFUSED = new Set([
  "BitsPerSample of count 7 in 5 bands",
  "no SamplesPerPixel, BitsPerSample of count 3",
  // GDAL shows other pixels
  "no BitsPerSample in an image of bytes",
]);
/** Files that we read and GDAL does not: the number means the same in any type. */
const READ = new Set(["BitsPerSample of floating point"]);
/** GDAL takes a text without a number for 0. */
const NO_NUMBER = new Set([" ", "none", "x7", "-", ".", "--7"].map((text) => `GDAL_NODATA '${text}\\x00'`));

const NUMBERS: Readonly<Record<string, string>> = {
  None: "undefined",
  nan: "NaN",
  inf: "Infinity",
  "-inf": "-Infinity",
};
const TYPES: Readonly<Record<string, string>> = {
  Byte: "uint8",
  UInt16: "uint16",
  Int16: "int16",
  Float32: "float32",
};

async function read({ name, file }: Variant) {
  const cog = await openCog(memorySource(new Uint8Array(Buffer.from(file, "base64")), name));
  const { width, height } = cog.grid;
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  return {
    type: cog.sampleType,
    nodata: String(cog.nodata),
    colors: [...cog.colorInterpretation],
    samples: bands.map((band) => [...band]),
  };
}

describe("unusual directories", () => {
  const isReadable = ({ name, gdal }: Variant): boolean => gdal !== null && !REFUSED.has(name);

  test.each(VARIANTS.filter(isReadable))("$name: read as GDAL reads it", async (variant) => {
    const { type, nodata, colors, samples } = variant.gdal!;
    const stated = NUMBERS[nodata] ?? String(Number(nodata));
    expect(await read(variant)).toEqual({
      type: TYPES[type],
      nodata: NO_NUMBER.has(variant.name) ? "undefined" : stated,
      colors: colors.map((color) => color.toLowerCase()),
      samples,
    });
  });

  test.each(VARIANTS.filter((variant) => !isReadable(variant) && !READ.has(variant.name)))(
    "$name: refused",
    async (variant) => {
      await expect(read(variant)).rejects.toMatchObject({
        name: "CogError",
        code: expect.stringMatching(/^(corrupt|unsupported)$/),
      });
    },
  );

  test("are those of the list", () => {
    const names = new Set(VARIANTS.map(({ name }) => name));
    expect([...REFUSED, ...READ, ...NO_NUMBER].filter((name) => !names.has(name))).toEqual([]);
    expect(VARIANTS.length).toBeGreaterThan(90);
  });
});
