// A month of the world at low zooms: 20,000 Sentinel-2 scenes over its land, each of one file of three bands whose coarsest level has
// 172 × 172 pixels, behind HTTP. Prints what the first making of zooms 0 to 6 takes, and tiles after it, cold and warm.
// node --conditions=@swath/source bench/world-month.ts [SCENES] [FOLDER]
// FOLDER gets pictures of zooms 0, 2, 5, 6 and 7.
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMainThread, parentPort, Worker } from "node:worker_threads";
import { createArchiveCatalog, createNeighbourhoodSearch } from "../packages/catalog/src/index.ts";
import { encodeGeoTiff } from "../packages/encode/src/index.ts";
import { findImage, ImageCache, LowZooms, SharedImages } from "../packages/engine/src/chain/images/index.ts";
import { RenderPool } from "../packages/engine/src/node.ts";
import { resolveCrs, transformBounds, utmEpsg } from "../packages/raster/src/index.ts";
import { defaultRegistry } from "../packages/schema/src/index.ts";
import { openObjects } from "../packages/store/src/node.ts";

const [scenes = "20000", folder] = process.argv.slice(2);
/** Edge of a scene in metres and in pixels of its files: its coarsest level is half of that, as wide as that of a real one. */
const [EDGE, PIXELS] = [109_800, 343];
/** The place in the file that every other one is made of: its numbers are found in its header and replaced. */
const [EASTING, NORTHING, EPSG] = [123_456.5, 7_654_321.5, 32_601];
const KINDS = 8;

function hash(...numbers: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const number of numbers) state = Math.imul(state ^ (number + 0x7f4a7c15), 0x85ebca6b) ^ (state >>> 13);
  return ((state ^ (state >>> 16)) >>> 0) / 4_294_967_296;
}

/** A file of one kind of ground: lighter and darker waves. */
async function template(kind: number): Promise<Uint8Array> {
  const pixel = EDGE / PIXELS;
  const grid = {
    crs: resolveCrs(`EPSG:${EPSG}`),
    transform: [pixel, 0, EASTING, 0, -pixel, NORTHING] as const,
    width: PIXELS,
    height: PIXELS,
  };
  const bands = [150, 130, 90].map((level) =>
    Uint8Array.from({ length: PIXELS * PIXELS }, (_, i) => {
      const [x, y] = [i % PIXELS, Math.floor(i / PIXELS)];
      const wave = Math.sin((x + 13 * kind) / 23) * Math.cos((y - 7 * kind) / 31) + hash(kind, x, y) / 3;
      return 1 + level * (0.6 + (0.25 * kind) / KINDS + 0.2 * wave);
    }),
  );
  const raster = { grid, bands, valid: new Uint8Array(PIXELS * PIXELS).fill(1) };
  return encodeGeoTiff(raster as never, { nodata: 0, overviews: [2], overviewResampling: "average", blockSize: 512 });
}

function positionsOf(bytes: Uint8Array, isHere: (view: DataView, at: number) => boolean): number[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found: number[] = [];
  // the header alone: what it looks like may be among the pixels too
  for (let at = 0; at < 1500; at++) if (isHere(view, at)) found.push(at);
  if (found.length !== 1) throw new Error(`Expected a number once in the header, found it ${found.length} times.`);
  return found;
}

/** Serves `/EPSG/EASTING/NORTHING/KIND/TCI.tif`, and counts. */
async function serve(): Promise<void> {
  const files = new Map<string, { bytes: Uint8Array; x: number[]; y: number[]; epsg: number[] }>();
  for (let kind = 0; kind < KINDS; kind++) {
    const bytes = await template(kind);
    files.set(`${kind}/TCI.tif`, {
      bytes,
      x: positionsOf(bytes, (view, at) => view.getFloat64(at, true) === EASTING),
      y: positionsOf(bytes, (view, at) => view.getFloat64(at, true) === NORTHING),
      epsg: positionsOf(bytes, (view, at) => view.getUint16(at, true) === EPSG),
    });
  }
  const counts = { requests: 0, bytes: 0 };
  const server = createServer({ keepAliveTimeout: 60_000 }, ({ url = "", headers, method }, response) => {
    const [, epsg, easting, northing, ...rest] = url.split("/");
    const file = files.get(rest.join("/"));
    if (file === undefined) return void response.writeHead(404).end();
    const [, first = "0", last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "") ?? [];
    const size = file.bytes.length;
    const [from, to] = [Number(first), Math.min(size - 1, last === undefined || last === "" ? size - 1 : Number(last))];
    const part = Buffer.from(file.bytes.slice(from, to + 1));
    const put = (places: readonly number[], length: number, write: (at: number) => void): void => {
      for (const at of places) if (at >= from && at + length <= from + part.length) write(at - from);
    };
    put(file.x, 8, (at) => part.writeDoubleLE(Number(easting), at));
    put(file.y, 8, (at) => part.writeDoubleLE(Number(northing), at));
    put(file.epsg, 2, (at) => part.writeUInt16LE(Number(epsg), at));
    counts.requests += 1;
    counts.bytes += part.length;
    response.writeHead(headers.range === undefined ? 200 : 206, {
      "Accept-Ranges": "bytes",
      "Content-Length": part.length,
      "Content-Range": `bytes ${from}-${to}/${size}`,
      ETag: `"${url}"`,
    });
    response.end(method === "HEAD" ? undefined : part);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  parentPort?.postMessage({ port: (server.address() as AddressInfo).port });
  parentPort?.on("message", () => parentPort?.postMessage({ ...counts }));
}

/** Height of the ground, roughly: land is where it is highest. */
function height(lon: number, lat: number): number {
  const [x, y] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
  const waves = Math.sin(2 * x + 1) * Math.cos(3 * y) + 0.7 * Math.sin(3 * x - 2 * y) + 0.4 * Math.cos(5 * x + 4 * y);
  return waves + 0.3 * Math.sin(y);
}

/** As many places of the world as there are scenes for, the highest first. */
function placesOf(count: number): readonly { readonly lon: number; readonly lat: number }[] {
  const places: { lon: number; lat: number }[] = [];
  for (let lat = -55; lat < 72; lat += 0.95) {
    const step = 0.95 / Math.cos((lat * Math.PI) / 180);
    for (let lon = -179; lon < 179; lon += step) places.push({ lon, lat });
  }
  return places.sort((a, b) => height(b.lon, b.lat) - height(a.lon, a.lat)).slice(0, Math.round(count / 6));
}

/** Scenes of June, six of each place. */
function items(count: number, origin: string): object[] {
  const chosen = placesOf(count);
  return chosen.flatMap(({ lon, lat }, place) =>
    [1, 6, 11, 16, 21, 26].map((day) => {
      const epsg = utmEpsg(lon, lat);
      const crs = resolveCrs(`EPSG:${epsg}`);
      const [x, y] = transformBounds([lon, lat, lon, lat], resolveCrs("EPSG:4326"), crs);
      const [easting, northing] = [Math.round(x - EDGE / 2) + 0.5, Math.round(y + EDGE / 2) + 0.5];
      const [west, south, east, north] = transformBounds(
        [easting, northing - EDGE, easting + EDGE, northing],
        crs,
        resolveCrs("EPSG:4326"),
      );
      const id = `S2A_T${place}_202406${String(day).padStart(2, "0")}`;
      const at = `${origin}/${epsg}/${easting}/${northing}/${place % KINDS}`;
      return {
        type: "Feature",
        stac_version: "1.0.0",
        stac_extensions: [],
        id,
        collection: "sentinel-2-c1-l2a",
        bbox: [west, south, east, north],
        geometry: {
          type: "Polygon",
          coordinates: [
            [
              [west, south],
              [east, south],
              [east, north],
              [west, north],
              [west, south],
            ],
          ],
        },
        properties: {
          datetime: `2024-06-${String(day).padStart(2, "0")}T10:00:00Z`,
          platform: "sentinel-2a",
          constellation: "sentinel-2",
          instruments: ["msi"],
          "eo:cloud_cover": Math.round(100 * hash(2, place, day)),
          "proj:epsg": epsg,
          "s2:processing_baseline": "05.10",
          "earthsearch:boa_offset_applied": false,
        },
        links: [],
        assets: {
          visual: {
            href: `${at}/TCI.tif`,
            type: "image/tiff; application=geotiff; profile=cloud-optimized",
            roles: ["visual"],
          },
        },
      };
    }),
  );
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

async function measure(): Promise<void> {
  const server = new Worker(new URL(import.meta.url), { execArgv: ["--conditions=@swath/source"] });
  const [{ port }] = (await once(server, "message")) as [{ port: number }];
  const counted = async (): Promise<{ requests: number; bytes: number }> => {
    server.postMessage("");
    return ((await once(server, "message")) as [{ requests: number; bytes: number }])[0];
  };
  const origin = `http://127.0.0.1:${port}`;
  const directory = await mkdtemp(join(tmpdir(), "swath-world-"));
  const all = items(Number(scenes), origin);
  const registry = defaultRegistry.withUpstreams(["default"]);
  const catalog = createArchiveCatalog({ items: all, registry });
  const renderer = new RenderPool({
    threads: 2,
    settings: {
      warmsUp: false,
      render: {
        blockCacheBytes: 512 << 20,
        sources: { assetHosts: [`127.0.0.1:${port}`, "127.0.0.1"], s3: { region: "us-west-2" } },
      },
    },
  });
  const services = {
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    registry,
    renderer,
    now: () => new Date("2024-09-01T00:00:00Z"),
  };
  /** A node that has just started, on the same folder. */
  const node = () => {
    const shared = new SharedImages({
      objects: openObjects({ dataDir: directory, isPublic: false, s3: { region: "x" } } as never, "images"),
      secret: Buffer.from("bench"),
      lookUpMs: 2000,
    });
    const images = new ImageCache(renderer, 64 << 20, () => {}, shared);
    const finished = new ImageCache(renderer, 64 << 20);
    const lowZooms = new LowZooms({ ...services, images, onFault: (error) => console.error(error) });
    const ask = async (z: number, x: number, y: number, size: 256 | 512 = 256) => {
      const { signal } = new AbortController();
      const planned = await findImage(
        services,
        {
          where: { kind: "tile", tileMatrixSet: "WebMercatorQuad", z, x, y, size },
          when: { collections: ["sentinel-2-l2a"], time: "2024-06" },
          what: { preset: "true-color" },
          into: { kind: "image", format: "png" },
        },
        { signal, lowZooms },
      );
      return { planned, image: await finished.render(planned.plan.key, planned.plan.job, { signal }) };
    };
    return { ask, lowZooms, shared };
  };
  const first = node();
  console.log(`${all.length} scenes`);
  const began = performance.now();
  const empty = await first.ask(0, 0, 0);
  const report = setInterval(async () => {
    const { requests } = await counted();
    console.error(`${((performance.now() - began) / 1000).toFixed(0)} s: ${requests} requests`);
  }, 30_000);
  await first.lowZooms.idle();
  clearInterval(report);
  const seconds = (performance.now() - began) / 1000;
  const whole = await first.ask(0, 0, 0);
  const { requests, bytes } = await counted();
  await first.shared.close(60_000);
  const used = whole.image.used.length;
  console.log(
    `first making: ${seconds.toFixed(0)} s, ${used} scenes used, ${requests} requests (${(requests / used).toFixed(2)} a scene used), ${(bytes / 1e6).toFixed(0)} MB; before it the answer had ${empty.image.used.length} scenes and was ${empty.planned.isFilling === true ? "not " : ""}whole`,
  );
  console.log("| zoom | cold, ms | warm, ms | requests for files |\n| --- | --- | --- | --- |");
  for (let z = 0; z <= 6; z++) {
    const cold: number[] = [];
    const warm: number[] = [];
    const before = (await counted()).requests;
    for (let n = 0; n < Math.min(20, 4 ** z); n++) {
      const [x, y] = [Math.floor(hash(3, z, n) * 2 ** z), Math.floor((0.2 + 0.4 * hash(4, z, n)) * 2 ** z)];
      const fresh = node();
      for (const times of [cold, warm]) {
        const start = performance.now();
        const { planned } = await fresh.ask(z, x, y);
        times.push(performance.now() - start);
        if (planned.isFilling === true) throw new Error(`Tile ${z}/${x}/${y} is not whole.`);
      }
    }
    console.log(
      `| ${z} | ${median(cold).toFixed(0)}, at most ${Math.max(...cold).toFixed(0)} | ${median(warm).toFixed(1)}, at most ${Math.max(...warm).toFixed(1)} | ${(await counted()).requests - before} |`,
    );
  }
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    const last = node();
    const [{ lon, lat } = { lon: 0, lat: 0 }] = placesOf(Number(scenes));
    const from = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
    for (const z of [0, 2, 5, 6, 7]) {
      const [x, y] = [Math.floor(((lon + 180) / 360) * 2 ** z), Math.floor(from * 2 ** z)];
      await writeFile(join(folder, `world-${z}.png`), (await last.ask(z, x, y, z < 7 ? 512 : 256)).image.bytes);
    }
  }
  await renderer.close();
  await server.terminate();
  await rm(directory, { recursive: true, force: true });
}

await (isMainThread ? measure() : serve());
