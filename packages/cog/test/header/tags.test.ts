import { describe, expect, test } from "vitest";
import { locateDirectories } from "../../src/header/directories.ts";
import { HeaderBytes } from "../../src/header/header-bytes.ts";
import { readTags } from "../../src/header/tags.ts";
import { memorySource } from "../../src/sources/source.ts";

/** Tags of one directory, by their number: field type, values, and how a value is written. */
const TAGS: readonly (readonly [
  tag: number,
  type: number,
  values: readonly number[],
  set: keyof DataView,
  size: number,
])[] = [
  [254, 1, [7, 255], "setUint8", 1],
  [256, 3, [60_000], "setUint16", 2],
  [257, 4, [4_000_000_000], "setUint32", 4],
  [258, 3, [16, 16, 8], "setUint16", 2],
  [262, 8, [-2, 2], "setInt16", 2],
  [277, 9, [-3], "setInt32", 4],
  [338, 6, [-1, 1], "setInt8", 1],
  [339, 13, [1, 4_000_000_000], "setUint32", 4],
  [33550, 12, [0.1, -1e300, Number.NaN], "setFloat64", 8],
  [34264, 11, [0.5, -2], "setFloat32", 4],
];
const TEXT = "Grüße\0";

/** A TIFF of one directory without an image. */
function tiff(littleEndian: boolean): Uint8Array {
  const bytes = new Uint8Array(1024);
  const view = new DataView(bytes.buffer);
  bytes.fill(littleEndian ? 0x49 : 0x4d, 0, 2);
  view.setUint16(2, 42, littleEndian);
  view.setUint32(4, 8, littleEndian);
  const text = new TextEncoder().encode(TEXT);
  const entries = TAGS.length + 2;
  view.setUint16(8, entries, littleEndian);
  let at = 10;
  let free = 10 + entries * 12 + 4;
  const entry = (tag: number, type: number, count: number, length: number): number => {
    view.setUint16(at, tag, littleEndian);
    view.setUint16(at + 2, type, littleEndian);
    view.setUint32(at + 4, count, littleEndian);
    let place = at + 8;
    if (length > 4) {
      view.setUint32(place, free, littleEndian);
      place = free;
      free += length;
    }
    at += 12;
    return place;
  };
  for (const [tag, type, values, set, size] of TAGS) {
    const place = entry(tag, type, values.length, values.length * size);
    values.forEach((value, i) => {
      (view[set] as (at: number, value: number, littleEndian: boolean) => void).call(
        view,
        place + i * size,
        value,
        littleEndian,
      );
    });
  }
  bytes.set(text, entry(42112, 2, text.length, text.length));
  const fraction = entry(282, 5, 1, 8);
  view.setUint32(fraction, 72, littleEndian);
  view.setUint32(fraction + 4, 1, littleEndian);
  return bytes;
}

describe.each([
  { order: "little-endian", littleEndian: true },
  { order: "big-endian", littleEndian: false },
])("tags of a $order file", ({ littleEndian }) => {
  const read = async (bytes = tiff(littleEndian), prefetch = 1024) => {
    const header = new HeaderBytes(memorySource(bytes), prefetch, undefined);
    const { directories } = await locateDirectories({ bytes: header, key: "made.tif" });
    const wanted = [...TAGS.map(([tag]) => tag), 42112, 282, 999];
    return readTags(directories[0]!, wanted, header, littleEndian);
  };

  test("have their numbers, whatever their type", async () => {
    const tags = await read();
    for (const [tag, , values] of TAGS) {
      expect(tags.numbers(tag)).toEqual(values);
      expect(tags.number(tag)).toBe(values[0]);
    }
  });

  test("are text or bytes where they are that", async () => {
    const tags = await read();
    expect(tags.text(42112)).toBe(TEXT);
    expect(tags.bytes(254)).toEqual(Uint8Array.of(7, 255));
    // some writers store text so
    expect(tags.text(254)).toBe("\x07\ufffd");
    expect(tags.text(256)).toBeUndefined();
    expect(tags.numbers(42112)).toEqual([]);
    expect(tags.bytes(256)).toBeUndefined();
  });

  test("that are fractions, or not there, have no value", async () => {
    const tags = await read();
    for (const tag of [282, 999]) {
      expect([tags.numbers(tag), tags.number(tag), tags.text(tag), tags.bytes(tag)]).toEqual([
        [],
        undefined,
        undefined,
        undefined,
      ]);
    }
    expect(tags.entry(282)).toMatchObject({ type: 5, count: 1 });
    expect(tags.entry(999)).toBeUndefined();
  });

  test("that the file ends in are an error", async () => {
    const bytes = tiff(littleEndian);
    await expect(read(bytes.subarray(0, 170), 16)).rejects.toMatchObject({ code: "corrupt" });
  });
});
