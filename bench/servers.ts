import { spawn } from "node:child_process";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceDirectory } from "./data/dataset.ts";
import { BANDS, bandPath, visualPath } from "./data/plan.ts";
import { childrenOf, type TestedServer, untilReady } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { NODE_FLAGS } from "./measure.ts";

const MAIN = join(import.meta.dirname, "../apps/api/src/main.ts");

/** Ends a server once: on request, or with this process. */
function onExit(end: () => void): () => void {
  const close = (): void => {
    process.off("exit", close);
    try {
      end();
    } catch {
      // it has ended by itself
    }
  };
  process.on("exit", close);
  return close;
}

async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}

/** This service as it is started by anyone, over the benchmark's archive; images are not cached. */
export async function startSwath(directory: string, env: Record<string, string> = {}): Promise<TestedServer> {
  const port = await freePort();
  const child = spawn(process.execPath, [...NODE_FLAGS, MAIN], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      SWATH_DATA_DIR: serviceDirectory(directory),
      SWATH_API_KEYS: "bench",
      SWATH_TILE_CACHE_MB: "0",
      SWATH_LOG_LEVEL: "silent",
      SWATH_LIMIT_KEY_RPS: "1000000",
      SWATH_LIMIT_KEY_BURST: "1000000",
      SWATH_LIMIT_KEY_MONTHLY: "1000000000",
      SWATH_LIMIT_SERVICE_RPS: "1000000",
      SWATH_LIMIT_SERVICE_BURST: "1000000",
      ...env,
    },
  });
  // the peers render one scene; this service does too, instead of also reading scenes below it at the edges
  const newest = encodeURIComponent(await newestDatetime(directory));
  const presets = { visual: "true-color", rgb16: "false-color", ndvi: "ndvi" } as const;
  const server: Omit<TestedServer, "pids"> = {
    name: "swath",
    port,
    headers: { "X-API-Key": "bench" },
    path: (kind, z, x, y, format) =>
      `/v1/tiles/${presets[kind]}/WebMercatorQuad/${z}/${x}/${y}.${format}?datetime=${newest}`,
    close: onExit(() => child.kill("SIGKILL")),
  };
  await untilAlive(port);
  // a tile far from those that are measured, as the peers are asked: the render threads are up
  const { z, x, y } = tileAt(13, 40, 40);
  await untilReady(server, server.path("visual", z, x, y, "jpg"));
  return { ...server, pids: [child.pid!] };
}

async function newestDatetime(directory: string): Promise<string> {
  const items = await readFile(join(serviceDirectory(directory), "sandbox/items/sentinel-2-c1-l2a.ndjson"), "utf8");
  const datetimes = items
    .trim()
    .split("\n")
    .map((line) => String(JSON.parse(line).properties.datetime));
  return datetimes.sort().at(-1)!;
}

/** Until the port is open. */
async function untilAlive(port: number): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const ok = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The service does not start.");
}

/** MapServer as FastCGI behind lighttpd: one process a core, files kept open between requests. */
export async function startMapServer(directory: string): Promise<TestedServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "swath-mapserver-"));
  await writeFile(join(folder, "rgb.vrt"), separateVrt([3, 0, 1].map((i) => bandPath(directory, BANDS[i]!))));
  await writeFile(join(folder, "tiles.map"), mapFile(folder, visualPath(directory, "s1")));
  await writeFile(join(folder, "mapserver.conf"), 'CONFIG\n  ENV\n    MS_MAP_PATTERN "."\n  END\nEND\n');
  await writeFile(
    join(folder, "lighttpd.conf"),
    `server.document-root = "${folder}"
server.port = ${port}
server.bind = "127.0.0.1"
server.modules = ("mod_fastcgi")
server.max-keep-alive-requests = 100000
server.errorlog = "/dev/null"
fastcgi.server = ("/mapserv" => ((
  "bin-path" => "/usr/lib/cgi-bin/mapserv", "socket" => "${folder}/fcgi.sock", "max-procs" => 2, "check-local" => "disable",
  "bin-environment" => ("MAPSERVER_CONFIG_FILE" => "${folder}/mapserver.conf")
)))
`,
  );
  const child = spawn("lighttpd", ["-D", "-f", join(folder, "lighttpd.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const server: Omit<TestedServer, "pids"> = {
    name: "mapserver",
    port,
    headers: {},
    path: (kind, z, x, y, format) =>
      `/mapserv?map=${folder}/tiles.map&mode=tile&tilemode=gmap&layers=${kind}&tile=${x}+${y}+${z}&map.imagetype=${format === "jpg" ? "jpeg" : format}`,
    close: onExit(() => {
      // lighttpd leaves its FastCGI processes behind
      for (const pid of [...childrenOf(child.pid!), child.pid!]) process.kill(pid, "SIGKILL");
    }),
  };
  const { z, x, y } = tileAt(13, 40, 40);
  await untilReady(server, server.path("visual", z, x, y, "jpg"));
  return { ...server, pids: [child.pid!, ...childrenOf(child.pid!)] };
}

function separateVrt(paths: readonly string[]): string {
  const bands = paths.map(
    (path, i) => `<VRTRasterBand dataType="UInt16" band="${i + 1}"><NoDataValue>0</NoDataValue><SimpleSource>
<SourceFilename relativeToVRT="0">${path}</SourceFilename><SourceBand>1</SourceBand></SimpleSource></VRTRasterBand>`,
  );
  return `<VRTDataset rasterXSize="10980" rasterYSize="10980"><SRS>EPSG:32633</SRS>
<GeoTransform>428400, 10, 0, 5625720, 0, -10</GeoTransform>${bands.join("\n")}</VRTDataset>`;
}

function mapFile(folder: string, visual: string): string {
  const layer = (name: string, data: string, processing: readonly string[]): string => `
  LAYER
    NAME "${name}"
    TYPE RASTER
    STATUS ON
    DATA "${data}"
    PROJECTION "init=epsg:32633" END
    PROCESSING "BANDS=1,2,3"
    PROCESSING "RESAMPLE=BILINEAR"
    PROCESSING "CLOSE_CONNECTION=DEFER"
    ${processing.map((each) => `PROCESSING "${each}"`).join("\n    ")}
    OFFSITE 0 0 0
  END`;
  return `MAP
  NAME "tiles"
  SIZE 256 256
  EXTENT -20037508 -20037508 20037508 20037508
  PROJECTION "init=epsg:3857" END
  OUTPUTFORMAT NAME "png" DRIVER "AGG/PNG" MIMETYPE "image/png" IMAGEMODE RGB EXTENSION "png" END
  OUTPUTFORMAT NAME "jpeg" DRIVER "AGG/JPEG" MIMETYPE "image/jpeg" IMAGEMODE RGB EXTENSION "jpg" FORMATOPTION "QUALITY=75" END
  WEB METADATA "ows_enable_request" "*" END END
${layer("visual", visual, [])}
${layer("rgb16", `${folder}/rgb.vrt`, ["SCALE=1000,5000"])}
END
`;
}

/** Tiles of a service on rasterio, in two processes. */
export async function startRasterioService(directory: string): Promise<TestedServer> {
  const port = await freePort();
  const files = {
    visual: [visualPath(directory, "s1")],
    rgb16: [3, 0, 1].map((i) => bandPath(directory, BANDS[i]!)),
    ndvi: [3, 0].map((i) => bandPath(directory, BANDS[i]!)),
  };
  const script = join(import.meta.dirname, "peers/rasterio_service.py");
  const child = spawn("/usr/bin/python3", ["-W", "ignore", script, String(port), JSON.stringify(files)], {
    stdio: ["ignore", "ignore", "inherit"],
    detached: true,
  });
  const server: Omit<TestedServer, "pids"> = {
    name: "rasterio service",
    port,
    headers: {},
    path: (kind, z, x, y, format) => `/${kind}/${z}/${x}/${y}.${format === "jpg" ? "jpeg" : format}`,
    close: onExit(() => process.kill(-child.pid!, "SIGKILL")),
  };
  const { z, x, y } = tileAt(13, 40, 40);
  await untilReady(server, server.path("visual", z, x, y, "jpg"));
  return { ...server, pids: [child.pid!, ...childrenOf(child.pid!)] };
}
