import { createHash } from "node:crypto";
import { BlockCache, readWindow } from "@swath/cog";
import { expect, test } from "vitest";
import { openJp2 } from "../src/index.ts";
import { facts, fixture } from "./files.ts";

test("bytes that a source lends are not changed, also where a slice is no copy", async () => {
  // as Node's files give them: views of one buffer, whose slices are views too
  const file = Buffer.from(fixture("rgb.jp2"));
  const source = {
    key: "lent",
    read: async (offset: number, length: number) => file.subarray(offset, offset + length),
  };
  const before = createHash("sha256").update(file).digest("hex");
  const jp2 = await openJp2(source);
  const cache = new BlockCache({ maxBytes: 10e6 });
  for (const { index, width, height } of [...jp2.levels].reverse()) {
    const { bands } = await readWindow(jp2, index, { x: 0, y: 0, width, height }, { cache });
    const digests = bands.map((band) => createHash("sha256").update(band).digest("hex"));
    if (index < facts["rgb.jp2"]!.levels.length) expect(digests).toEqual(facts["rgb.jp2"]!.levels[index]!.sha256);
    await readWindow(jp2, index, { x: 5, y: 5, width: 9, height: 9 }, { partialBlocks: true });
  }
  expect(createHash("sha256").update(file).digest("hex")).toBe(before);
});
