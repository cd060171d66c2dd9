import { memorySource, readWindow } from "@swath/cog";
import type { Window } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Jp2, openJp2 } from "../../src/index.ts";
import { fixture, withoutMarkers } from "../files.ts";

const open = (name: string): Promise<Jp2> => openJp2(memorySource(fixture(name), name));

const PLT = 0xff58;
/** Files of one image that state the lengths of their packets, in every order of packets there is. */
const ORDERED = [
  ...["lrcp", "rlcp", "rpcl", "pcrl", "cprl", "sop-eph", "tile-parts", "no-tlm", "one-tile", "odd-tiles"],
  ...["layers-lrcp", "layers-rlcp", "layers-pcrl"],
].map((name) => `${name}.jp2`);
/** The same image without lengths: the decoder itself leaves resolutions out. */
const PLAIN = "no-lengths.jp2";

describe("resolutions made of some packets", () => {
  test.each(ORDERED.filter((name) => !/odd|one/.test(name)))(
    "of %s are those that the decoder makes of all packets",
    async (name) => {
      const [own, plain] = [await open(name), await open(PLAIN)];
      for (const { index, width, height } of plain.levels) {
        const window = { x: 0, y: 0, width, height };
        const expected = await readWindow(plain, index, window);
        expect((await readWindow(own, index, window)).bands[0], `level ${index}`).toEqual(expected.bands[0]);
      }
    },
  );

  test.each(["rgb.jp2", "rgb-lossy.jp2", "rgb-cprl.jp2", "lossy.jp2", "one-tile.jp2", "signed.jp2"])(
    "of %s are those that the decoder makes of all packets, whose lengths it is not told",
    async (name) => {
      const [own, untold] = [await open(name), await openJp2(memorySource(withoutMarkers(fixture(name), PLT), name))];
      for (const { index, width, height } of own.levels) {
        const window = { x: 0, y: 0, width, height };
        const expected = await readWindow(untold, index, window);
        expect((await readWindow(own, index, window)).bands, `level ${index}`).toEqual(expected.bands);
      }
    },
  );
});

describe("a window read in part", () => {
  const whole = new Map<string, Awaited<ReturnType<typeof readWindow>>>();
  const files = [...ORDERED, PLAIN, "rgb.jp2", "rgb-lossy.jp2", "rgb-cprl.jp2", "lossy.jp2", "no-levels.jp2"];
  const jp2s = new Map<string, Promise<Jp2>>();
  const get = (name: string): Promise<Jp2> => {
    const opened = jp2s.get(name) ?? open(name);
    jp2s.set(name, opened);
    return opened;
  };

  test("has the samples of the whole, in every order of packets", async () => {
    const request = fc.record({
      name: fc.constantFrom(...files),
      level: fc.nat(),
      left: fc.double({ min: 0, max: 1, noNaN: true }),
      top: fc.double({ min: 0, max: 1, noNaN: true }),
      width: fc.integer({ min: 1, max: 70 }),
      height: fc.integer({ min: 1, max: 70 }),
    });
    await fc.assert(
      fc.asyncProperty(request, async ({ name, level, left, top, width, height }) => {
        const jp2 = await get(name);
        const { index, ...size } = jp2.levels[level % jp2.levels.length]!;
        const x = Math.min(size.width - 1, Math.floor(left * size.width));
        const y = Math.min(size.height - 1, Math.floor(top * size.height));
        const window = { x, y, width: Math.min(width, size.width - x), height: Math.min(height, size.height - y) };
        const key = `${name} ${index}`;
        const all =
          whole.get(key) ?? (await readWindow(jp2, index, { x: 0, y: 0, width: size.width, height: size.height }));
        whole.set(key, all);
        const part = await readWindow(jp2, index, window, { partialBlocks: true });
        part.bands.forEach((band, i) => {
          expect(band).toEqual(cut(all.bands[i] as Uint16Array, size.width, window));
        });
      }),
    );
  });
});

function cut(samples: Uint16Array, stride: number, { x, y, width, height }: Window): Uint16Array {
  const part = samples.slice(0, width * height);
  for (let row = 0; row < height; row++) {
    const from = (y + row) * stride + x;
    part.set(samples.subarray(from, from + width), row * width);
  }
  return part;
}
