import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { costRatio } from "../../../../test/tools/cost.ts";
import {
  ExpressionError,
  evaluateExpression,
  gridFromBounds,
  parseExpression,
  type Raster,
  resolveCrs,
  type Samples,
} from "../../src/index.ts";
import { COLORMAPS, colormap, styleRaster } from "../../src/style.ts";
import { whereForbidden } from "../where-forbidden.ts";

const read = (name: string) => JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8"));
const { rescale }: { rescale: Record<"uint16" | "expected" | "float32" | "expectedFloat", number[]> } =
  read("gdal-warp.json");

function raster(bands: Samples[], valid?: number[]): Raster {
  const count = bands[0]?.length ?? 0;
  const grid = gridFromBounds(resolveCrs("EPSG:3857"), [0, 0, count, 1], count, 1);
  return { grid, bands, valid: valid === undefined ? new Uint8Array(count).fill(1) : Uint8Array.from(valid) };
}

const value = (text: string, ...bands: number[]): number => {
  const names = bands.map((_, i) => `b${i + 1}`);
  const { values } = evaluateExpression(
    parseExpression(text, names),
    bands.map((b) => Float64Array.of(b)),
    Uint8Array.of(1),
  );
  return values[0] ?? Number.NaN;
};

test.each([
  ["(b1-b2)/(b1+b2-2000)", 1],
  ["b1 + b2 * 2", 5000],
  ["-2**2", -4],
  ["2**-1", 0.5],
  ["2**3**2", 512],
  ["-(b1)", -3000],
  ["10-4-3", 3],
  ["100/10/2", 5],
  ["1.5e3+.5", 1500.5],
  ["min(b1,b2,7)", 7],
  ["max(b1, b2)", 3000],
  ["clamp(b1, 0, 10)", 10],
  ["where(b1 > b2, 1, 2)", 1],
  ["where(b1 == b2, 1, 2)", 2],
  ["sqrt(abs(-16))", 4],
  ["log(exp(2))", 2],
  ["log10(1000)", 3],
  ["floor(2.7)+ceil(2.2)", 5],
  ["+b1", 3000],
  ["(b1<=3000) + (b1>=3001) + (b1!=1) + (b1<1)", 2],
])("%s is %d", (text, expected) => {
  expect(value(text, 3000, 1000)).toBeCloseTo(expected, 5);
});

test.each([
  ["", 0, "invalid-expression"],
  ["b1+", 3, "invalid-expression"],
  ["b1 b2", 3, "invalid-expression"],
  ["b1; b2", 2, "invalid-expression"],
  ["b9", 0, "unknown-band"],
  ["b1 + constructor", 5, "unknown-band"],
  ["toString(b1)", 0, "invalid-expression"],
  ["__proto__(b1)", 0, "invalid-expression"],
  ["(b1", 3, "invalid-expression"],
  ["sqrt(b1,b2)", 7, "invalid-expression"],
  ["where(b1,b2)", 11, "invalid-expression"],
  ["1 < 2 < 3", 6, "invalid-expression"],
  ["b1.x", 2, "invalid-expression"],
])("%j is refused at %i", (text, position, code) => {
  expect(() => parseExpression(text, ["b1", "b2"])).toThrow(expect.objectContaining({ position, code }));
});

test.each([
  ["(", ")"],
  ["-", ""],
  ["sqrt(", ")"],
  ["2**", ""],
])("%j%s may be nested 50 deep, and no deeper", (open, close) => {
  const nested = (depth: number): string => `${open.repeat(depth)}b1${close.repeat(depth)}`;
  expect(parseExpression(nested(50), ["b1"]).inputs).toEqual([0]);
  expect(() => parseExpression(nested(51), ["b1"])).toThrow(expect.objectContaining({ code: "expression-too-large" }));
});

test.each([
  ["sqrt(b1,b1)", "1 argument of sqrt"],
  ["where(b1,b1)", "3 arguments of where"],
  ["min(b1)", "2 to 20 arguments of min"],
  [`max(${Array(21).fill("b1").join()})`, "2 to 20 arguments of max"],
])("of %s the message says how many there may be", (text, expected) => {
  expect(() => parseExpression(text, ["b1"])).toThrow(expected);
});

test.each(["(", " "])("a million of %j are refused for their length, before anything is read", (character) => {
  const expected = {
    code: "expression-too-large",
    position: 2000,
    message: expect.stringContaining("2000 characters"),
  };
  expect(() => parseExpression(character.repeat(1e6), ["b1"])).toThrow(expect.objectContaining(expected));
});

test.each([
  { name: "signs", hostile: "-".repeat(1900) },
  { name: "sums", hostile: "b1+".repeat(600) },
  { name: "functions", hostile: `${"sqrt(".repeat(300)}b1` },
  { name: "powers", hostile: "b1**".repeat(400) },
])("hundreds of $name are refused with little more work than the longest expressions need", async ({ hostile }) => {
  const longest = `${"(b1 + 1) / ".repeat(99)}b1`.padEnd(2000);
  const ratio = await costRatio(
    () => expect(() => parseExpression(hostile, ["b1"])).toThrow(ExpressionError),
    () => expect(parseExpression(longest, ["b1"]).inputs).toEqual([0]),
  );
  expect(ratio).toBeLessThan(10);
});

test("any text either parses or is an ExpressionError", () => {
  const words = fc.constantFrom(
    "b1",
    "b2",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "**",
    "1",
    ".5",
    ",",
    "min",
    "where",
    "<",
    "==",
    " ",
    "$",
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 30 }), (parts) => {
      try {
        parseExpression(parts.join(""), ["b1", "b2"]);
      } catch (error) {
        expect(error).toHaveProperty("name", "ExpressionError");
      }
    }),
    { numRuns: 2000 },
  );
});

test("arithmetic equals JavaScript's over every chunk", () => {
  const number = fc.double({ min: -1e4, max: 1e4, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 3000 }), (rows) => {
      const [a, b] = [Float64Array.from(rows, (r) => r[0]), Float64Array.from(rows, (r) => r[1])];
      const expression = parseExpression("(y - 3*x)/(x*x + 1) - max(x, y)*2", ["x", "unused", "y"]);
      const { values } = evaluateExpression(expression, [a, new Float64Array(), b], new Uint8Array(a.length).fill(1));
      expect(values).toEqual(Float32Array.from(rows, ([x, y]) => (y - 3 * x) / (x * x + 1) - Math.max(x, y) * 2));
    }),
    { numRuns: 30 },
  );
});

test("what is not finite, or was not valid, is not valid", () => {
  const { values, valid } = evaluateExpression(
    parseExpression("b1/b2", ["b1", "b2"]),
    [Uint16Array.of(4, 1, 0, 6), Uint16Array.of(2, 0, 0, 3)],
    Uint8Array.of(1, 1, 1, 0),
  );
  expect([...valid]).toEqual([1, 0, 0, 0]);
  expect([...values]).toEqual([2, Number.NaN, Number.NaN, Number.NaN]);
});

test.each(Object.entries(read("matplotlib-colormaps.json") as Record<string, string>))(
  "%s is matplotlib's",
  (name, hash) => {
    expect(createHash("sha256").update(colormap(name)).digest("hex")).toBe(hash);
    expect(COLORMAPS).toContain(name);
    expect(colormap(`${name}_r`).subarray(0, 4)).toEqual(colormap(name).subarray(1020));
  },
);

test("unknown colormaps are refused", () => {
  for (const name of ["", "nope", "constructor", "viridis_r_r"]) {
    expect(() => colormap(name)).toThrow(expect.objectContaining({ code: "unknown-colormap" }));
  }
});

test("rescaling gives numpy's bytes", () => {
  const style = { rescale: [[1000, 5000]] as const };
  expect([...styleRaster(raster([Uint16Array.from(rescale.uint16)]), style).data]).toEqual(rescale.expected);
  expect([...styleRaster(raster([Int32Array.from(rescale.uint16)]), style).data]).toEqual(rescale.expected);
  const floats = styleRaster(raster([Float32Array.from(rescale.float32)]), { rescale: [[-0.2, 0.8]] });
  expect([...floats.data]).toEqual(rescale.expectedFloat);
  const signed = styleRaster(raster([Int16Array.of(-1000, -500, 0, 1000)]), { rescale: [[-1000, 1000]] });
  expect([...signed.data]).toEqual([0, 63, 127, 255]);
});

test("three valid bands are RGB, with gaps RGBA", () => {
  const bands = [Uint8Array.of(1, 2), Uint8Array.of(3, 4), Uint8Array.of(5, 6)];
  expect(styleRaster(raster(bands), {})).toEqual({
    width: 2,
    height: 1,
    channels: 3,
    data: Uint8Array.of(1, 3, 5, 2, 4, 6),
  });
  const gaps = styleRaster(raster(bands, [1, 0]), {});
  expect(gaps).toEqual({ width: 2, height: 1, channels: 4, data: Uint8Array.of(1, 3, 5, 255, 0, 0, 0, 0) });
  const ranges = styleRaster(raster(bands), {
    rescale: [
      [0, 255],
      [0, 51],
      [5, 6],
    ],
  });
  expect([...ranges.data]).toEqual([1, 15, 0, 2, 20, 255]);
});

test.each([1, 15, 16, 17, 1000, 65_537, 200_003])(
  "%i pixels are packed, also where WebAssembly is forbidden",
  async (count) => {
    const bands = [7, 11, 13].map((step) => Uint8Array.from({ length: count }, (_, i) => Math.imul(i + 1, step) >>> 2));
    const expected = Uint8Array.from({ length: 3 * count }, (_, k) => bands[k % 3]![Math.floor(k / 3)]!);
    expect(Buffer.compare(styleRaster(raster(bands), {}).data, expected)).toBe(0);
    await whereForbidden(async () => {
      const here = await import("../../src/style.ts");
      expect(Buffer.compare(here.styleRaster(raster(bands), {}).data, expected)).toBe(0);
    });
  },
);

test("a palette image shows each valid pixel in the colour of its value", () => {
  const colors = colormap("rdylgn");
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), fc.infiniteStream(fc.boolean()), (values, flags) => {
      const valid = [...values].map(() => (flags.next().value ? 1 : 0));
      const { data, palette, channels } = styleRaster(raster([Uint8Array.from(values)], valid), { colormap: colors });
      expect(channels).toBe(1);
      values.forEach((v, i) => {
        const k = (data[i] ?? 0) * 4;
        const color = [...(palette ?? []).slice(k, k + 4)];
        if (valid[i] === 0) expect([data[i], ...color]).toEqual([0, 0, 0, 0, 0]);
        else expect(color).toEqual([...colors.subarray(v * 4, v * 4 + 4)]);
      });
    }),
  );
});

test("an index is styled in one pass", () => {
  const bands = [Uint16Array.of(5000, 3000, 1000), Uint16Array.of(2000, 3000, 1000)];
  const expression = parseExpression("(b1-b2)/(b1+b2-2000)", ["b1", "b2"]);
  const image = styleRaster(raster(bands), { expression, rescale: [[-0.2, 0.8]], colormap: colormap("rdylgn") });
  expect([...image.data]).toEqual([Math.trunc(((Math.fround(0.6) + 0.2) / 1) * 255), 51, 0]);
  expect([...(image.palette ?? []).slice(0, 4)]).toEqual([0, 0, 0, 0]);
});

test("styles that do not fit are refused", () => {
  const one = raster([Uint16Array.of(1)]);
  const three = raster([Uint8Array.of(1), Uint8Array.of(1), Uint8Array.of(1)]);
  const refused = expect.objectContaining({ code: "invalid-style" });
  expect(() => styleRaster(one, {})).toThrow(refused);
  expect(() => styleRaster(one, { rescale: [[5, 5]] })).toThrow(refused);
  expect(() =>
    styleRaster(one, {
      rescale: [
        [0, 1],
        [0, 1],
      ],
    }),
  ).toThrow(refused);
  expect(() => styleRaster(one, { rescale: [[0, 1]], colormap: new Uint8Array(3) })).toThrow(refused);
  expect(() => styleRaster(three, { colormap: colormap("gray") })).toThrow(refused);
  expect(() => styleRaster(raster([Uint8Array.of(1), Uint8Array.of(1)]), {})).toThrow(refused);
});
