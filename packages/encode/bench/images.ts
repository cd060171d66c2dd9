import jpegTurbo from "@julusian/jpeg-turbo";
import { portableEncoder } from "../src/index.ts";
import { createNodeEncoder, nodeEncoder } from "../src/node.ts";
import { landscape, paletteImage } from "../test/images.ts";
import { measure } from "./measure.ts";

const images = [
  ["256 RGB", landscape(256, 256, 3)],
  ["256 RGBA", landscape(256, 256, 4)],
  ["256 palette", paletteImage(256, 256)],
  ["512 RGB", landscape(512, 512, 3)],
] as const;

for (const [encoderName, encoder] of [
  ["node", nodeEncoder],
  ["node with turbo", createNodeEncoder({ jpegTurbo })],
  ["portable", portableEncoder],
] as const) {
  for (const [imageName, image] of images) {
    for (const format of ["png", "jpg", "webp"] as const) {
      const name = `${encoderName} ${format} ${imageName}`;
      await measure(
        name,
        encoderName === "portable" ? 20 : 60,
        () => encoder.encode(image, format),
        (bytes) => `${bytes.length} bytes`,
      );
    }
  }
}
