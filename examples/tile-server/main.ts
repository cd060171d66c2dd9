// node main.ts FILE-OR-ADDRESS [BANDS LOW HIGH]: map tiles of one Cloud-Optimized GeoTIFF at /{z}/{x}/{y}.png
import { createServer } from "node:http";
import { BlockCache, httpSource, openCog, readGrid } from "@swath/cog";
import { fileSource, nodeCodecs } from "@swath/cog/node";
import { nodeEncoder } from "@swath/encode/node";
import { isTile, tileGrid } from "@swath/raster";
import { styleRaster } from "@swath/raster/style";

const [place = "", bandList = "0", low = "0", high = "255"] = process.argv.slice(2);
const source = /^https?:/.test(place) ? httpSource(place) : fileSource(place);
const cog = await openCog(source, { codecs: nodeCodecs });
const cache = new BlockCache({ maxBytes: 256e6 });
const options = { bands: bandList.split(",").map(Number), resampling: "bilinear", cache } as const;

const server = createServer(async (request, response) => {
  const path = /^\/(\d+)\/(\d+)\/(\d+)\.png$/.exec(request.url ?? "");
  const [z = -1, x = -1, y = -1] = path?.slice(1).map(Number) ?? [];
  if (!isTile("WebMercatorQuad", z, x, y)) return response.writeHead(404).end();
  try {
    const raster = await readGrid(cog, tileGrid("WebMercatorQuad", z, x, y), options);
    if (raster === undefined) return response.writeHead(204).end();
    const image = styleRaster(raster, { rescale: [[Number(low), Number(high)]] });
    response.writeHead(200, { "Content-Type": "image/png", "Access-Control-Allow-Origin": "*" });
    response.end(await nodeEncoder.encode(image, "png"));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
});
server.listen(Number(process.env.PORT ?? 3000), "127.0.0.1", () => console.log("listening", server.address()));
