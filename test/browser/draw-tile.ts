import { openCog, readGrids, type Source } from "../../packages/cog/src/index.ts";
import { portableEncoder } from "../../packages/encode/src/index.ts";
import { parseExpression, tileGrid } from "../../packages/raster/src/index.ts";
import { colormap, styleRaster } from "../../packages/raster/src/style.ts";

export interface DrawnTile {
  /** Bytes of the image before it is encoded: colours, or indices of a palette. */
  readonly pixels: Uint8Array;
  readonly png: Uint8Array;
}

/** A map tile of a two-band file: an index with a colormap. The same code runs in Node and in a browser. */
export async function drawTile(source: Source, z: number, x: number, y: number): Promise<DrawnTile> {
  const file = await openCog(source);
  const [raster] = await readGrids([{ file }], tileGrid("WebMercatorQuad", z, x, y), { resampling: "bilinear" });
  if (raster === undefined) throw new Error("The tile lies beside the file.");
  const image = styleRaster(raster, {
    expression: parseExpression("(b1-b2)/(b1+b2)", ["b1", "b2"]),
    rescale: [[-0.5, 0.5]],
    colormap: colormap("rdylgn"),
  });
  return { pixels: image.data, png: await portableEncoder.encode(image, "png") };
}
