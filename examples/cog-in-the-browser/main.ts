// Renders a Cloud-Optimized GeoTIFF on a canvas, tile by tile, straight from its file by HTTP ranges.
// ?url=FILE&bands=0&min=0&max=255 says what and how; the file's server has to take ranges (and, elsewhere, allow CORS).
// A click zooms in, with Shift it zooms out.
import { BlockCache, httpSource, openCog, readGrid } from "@swath/cog";
import { gridBbox, isTile, tileGrid } from "@swath/raster";
import { type Image, styleRaster } from "@swath/raster/style";

const TILE = 256;
const parameters = new URLSearchParams(location.search);
const canvas = document.querySelector("canvas") as HTMLCanvasElement;
const facts = document.querySelector("#facts") as HTMLElement;
const context = canvas.getContext("2d") as CanvasRenderingContext2D;

const used = { requests: 0, bytes: 0 };
const source = httpSource(new URL(parameters.get("url") ?? "example.tif", location.href), {
  onRequest: ({ bytes }) => {
    used.requests += 1;
    used.bytes += bytes;
  },
});
const cache = new BlockCache({ maxBytes: 128e6 });
const bands = (parameters.get("bands") ?? "0").split(",").map(Number);
const rescale = [[Number(parameters.get("min") ?? 0), Number(parameters.get("max") ?? 255)]] as const;

/** Web Mercator as a square of side 1, from the upper left. */
function toSquare(longitude: number, latitude: number): [number, number] {
  const y = Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI;
  return [(longitude + 180) / 360, (1 - y) / 2];
}

function toImageData({ width, height, channels, data, palette }: Image): ImageData {
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  for (let i = 0; i < width * height; i++) {
    const from = palette === undefined ? data.subarray(i * channels) : palette.subarray((data[i] ?? 0) * 4);
    const colors = palette === undefined ? channels : 4;
    for (let k = 0; k < 4; k++) {
      if (k < colors || (colors === 1 && k < 3)) pixels[i * 4 + k] = from[colors === 1 ? 0 : k] ?? 0;
    }
  }
  return new ImageData(pixels, width, height);
}

let running = new AbortController();

async function draw(center: readonly [number, number], zoom: number): Promise<void> {
  running.abort(); // what an older view still waits for is not requested any more
  running = new AbortController();
  const { signal } = running;
  const side = TILE * 2 ** zoom;
  const [left, top] = [center[0] * side - canvas.width / 2, center[1] * side - canvas.height / 2];
  context.clearRect(0, 0, canvas.width, canvas.height);
  const tiles: Promise<void>[] = [];
  for (let y = Math.floor(top / TILE); y * TILE < top + canvas.height; y++) {
    for (let x = Math.floor(left / TILE); x * TILE < left + canvas.width; x++) {
      if (!isTile("WebMercatorQuad", zoom, x, y)) continue;
      const grid = tileGrid("WebMercatorQuad", zoom, x, y, TILE);
      const tile = readGrid(cog, grid, { bands, resampling: "bilinear", cache, signal }).then((raster) => {
        if (raster === undefined) return;
        context.putImageData(toImageData(styleRaster(raster, { rescale })), x * TILE - left, y * TILE - top);
      });
      tiles.push(tile);
    }
  }
  await Promise.all(tiles);
  facts.textContent = `Zoom ${zoom}: ${used.requests} requests, ${Math.ceil(used.bytes / 1024)} kB`;
  canvas.onclick = (event) => {
    const x = (left + (event.offsetX * canvas.width) / canvas.clientWidth) / side;
    const y = (top + (event.offsetY * canvas.height) / canvas.clientHeight) / side;
    show([x, y], event.shiftKey ? Math.max(0, zoom - 1) : Math.min(24, zoom + 1));
  };
}

function show(center: readonly [number, number], zoom: number): void {
  draw(center, zoom).catch((error: unknown) => {
    if ((error as Error).name !== "AbortError") facts.textContent = String(error);
  });
}

const cog = await openCog(source).catch((error: unknown) => {
  facts.textContent = String(error);
  throw error;
});
const [west, south, east, north] = gridBbox(cog.grid);
const [left, top] = toSquare(west, north);
const [right, bottom] = toSquare(east, south);
const zoom = Math.floor(Math.log2(Math.min(canvas.width, canvas.height) / TILE / Math.max(right - left, bottom - top)));
show([(left + right) / 2, (top + bottom) / 2], zoom);
