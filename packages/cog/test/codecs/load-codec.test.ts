import { expect, test } from "vitest";
import { portableCodecs } from "../../src/codecs/codecs.ts";
import { codecLoader } from "../../src/codecs/load-codec.ts";
import { memorySource, openCog, readWindow } from "../../src/index.ts";
import { nodeCodecs } from "../../src/node.ts";
import { local } from "../fixtures.ts";

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

test("WebP is read in Node with the default codecs, as with nodeCodecs", async () => {
  const read = async (codecs?: typeof portableCodecs) => {
    const cog = await openCog(memorySource(local("webp-lossless.tif"), "webp"), { codecs });
    return readWindow(cog, 0, { x: 0, y: 0, width: 8, height: 8 });
  };
  const { bands } = await read();
  expect(bands).toHaveLength(3);
  expect((await read(portableCodecs)).bands).toEqual(bands);
  expect((await read(nodeCodecs)).bands).toEqual(bands);
});
