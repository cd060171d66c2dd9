import { expect, test } from "vitest";
import { codecLoader } from "../src/codecs/load-codec.ts";
import { memorySource, openCog, portableCodecs, readWindow } from "../src/index.ts";
import { nodeCodecs } from "../src/node.ts";
import { local } from "./fixtures.ts";

test("a decoder is loaded once; a load that fails is not the file's fault, and is tried again", async () => {
  let loads = 0;
  const load = codecLoader("X", async () => {
    loads += 1;
    if (loads === 1) throw new Error("no network");
    return "decoder";
  });
  const failure = {
    code: "codec-unavailable",
    lasting: false,
    message: expect.stringMatching(/decoder of X.*no network/),
  };
  await expect(load()).rejects.toMatchObject(failure);
  expect([await load(), await load()]).toEqual(["decoder", "decoder"]);
  expect(loads).toBe(2);
});

test("WebP without a decoder says so, and names what has one; the file is not called damaged", async () => {
  const read = async (codecs: typeof portableCodecs) => {
    const cog = await openCog(memorySource(local("webp-lossless.tif"), "webp"), { codecs });
    return readWindow(cog, 0, { x: 0, y: 0, width: 8, height: 8 });
  };
  await expect(read(portableCodecs)).rejects.toMatchObject({
    code: "codec-unavailable",
    message: expect.stringContaining("nodeCodecs"),
  });
  expect((await read(nodeCodecs)).bands).toHaveLength(3);
});
