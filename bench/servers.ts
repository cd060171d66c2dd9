import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../test/tools/free-port.ts";
import { archiveTimes, serviceDirectory } from "./data/archive.ts";
import { BANDS, bandPath, visualPath } from "./data/plan.ts";
import { childrenOf, cpuOf, type TestedServer, untilReady } from "./http.ts";
import { tileAt } from "./jobs.ts";
import { HEAP_FLAGS } from "./measure.ts";
import { GDAL_ENV, LIGHTTPD, MAPSERV, PYTHON } from "./peers.ts";
import { filesOf } from "./tile-peers.ts";

/** What the image and `npx` start: the build writes it. */
const MAIN = join(import.meta.dirname, "../apps/api/dist/main.js");

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

/** A service that answers. */
export interface StartedService {
  readonly port: number;
  readonly pid: number;
  /** Ends it as its owner would. @returns when it has ended */
  end(): Promise<void>;
  close(): void;
}

/** This service as it is installed by anyone, with a data directory that has an archive; images are not cached. */
export async function startService(
  dataDirectory: string,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<StartedService> {
  const port = await freePort();
  const child = spawn(process.execPath, [...HEAP_FLAGS, ...flags, MAIN], {
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...process.env,
      PORT: String(port),
      SWATH_DATA_DIR: dataDirectory,
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
  await untilAlive(port);
  const end = async (): Promise<void> => {
    child.kill("SIGTERM");
    await once(child, "exit");
  };
  return { port, pid: child.pid!, end, close: onExit(() => child.kill("SIGKILL")) };
}

/**
 * The service over the benchmark's archive, after its first tile.
 *
 * @param options.service its data directory, by default that whose files are on the local disk.
 */
export async function startSwath(
  directory: string,
  { service = serviceDirectory(directory), env = {} }: { service?: string; env?: Record<string, string> } = {},
): Promise<TestedServer> {
  const launch = performance.now();
  const { port, pid, close } = await startService(service, env);
  // the other programs render one scene, except for mosaics; so does this service, instead of also reading scenes below it
  const { scenes, mosaic, mosaicEdge } = await archiveTimes(directory);
  const newest = scenes[0]!;
  const query = {
    visual: ["true-color", newest],
    rgb16: ["false-color", newest],
    ndvi: ["ndvi", newest],
    mosaic: ["true-color", mosaic],
    "mosaic-edge": ["true-color", mosaicEdge],
  } as const;
  const server: Omit<TestedServer, "pids" | "start"> = {
    name: "Swath",
    port,
    headers: { "X-API-Key": "bench" },
    path: (kind, z, x, y, encoding) => {
      const [preset, datetime] = query[kind];
      const format = encoding === "jpg" ? "jpg" : "png";
      return `/v1/tiles/${preset}/WebMercatorQuad/${z}/${x}/${y}.${format}?datetime=${encodeURIComponent(datetime)}`;
    },
    close,
  };
  return answering(server, () => [pid], launch);
}

/** Waits for the first tile, far from those that are measured: every server has loaded its code then. */
async function answering(
  server: Omit<TestedServer, "pids" | "start">,
  pids: () => number[],
  launch: number,
): Promise<TestedServer> {
  const { z, x, y } = tileAt(13, 40, 40);
  await untilReady(server, server.path("visual", z, x, y, "jpg"));
  const wall = performance.now() - launch;
  return { ...server, pids: pids(), start: { wall, cpu: cpuOf(pids()) } };
}

/** Waits until the port is open. */
async function untilAlive(port: number): Promise<void> {
  for (let i = 0; i < 1200; i++) {
    const ok = await fetch(`http://127.0.0.1:${port}/healthz`).then(
      () => true,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The service does not start.");
}

/** MapServer as FastCGI behind lighttpd: one process per core, files kept open between requests. */
export async function startMapServer(directory: string): Promise<TestedServer> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), "swath-mapserver-"));
  await writeFile(join(folder, "rgb.vrt"), separateVrt([3, 0, 1].map((i) => bandPath(directory, BANDS[i]!))));
  await writeFile(join(folder, "tiles.map"), mapFile(folder, visualPath(directory, "s1")));
  await writeFile(join(folder, "mapserver.conf"), 'CONFIG\n  ENV\n    MS_MAP_PATTERN "."\n  END\nEND\n');
  const environment = Object.entries(GDAL_ENV)
    .map(([name, value]) => `"${name}" => "${value}"`)
    .join(", ");
  await writeFile(
    join(folder, "lighttpd.conf"),
    `server.document-root = "${folder}"
server.port = ${port}
server.bind = "127.0.0.1"
server.modules = ("mod_fastcgi")
server.max-keep-alive-requests = 100000
server.errorlog = "/dev/null"
fastcgi.server = ("/mapserv" => ((
  "bin-path" => "${MAPSERV}", "socket" => "${folder}/fcgi.sock", "max-procs" => 2, "check-local" => "disable",
  "bin-environment" => (${environment}, "MAPSERVER_CONFIG_FILE" => "${folder}/mapserver.conf")
)))
`,
  );
  for (const kind of ["mosaic", "mosaic-edge"] as const) {
    // MapServer draws the scenes of an index in its order, the last one on top
    const drawn = [...filesOf(directory, kind)].reverse();
    execFileSync("gdaltindex", [join(folder, `${kind}.shp`), ...drawn], { stdio: "ignore" });
  }
  const launch = performance.now();
  const child = spawn(LIGHTTPD, ["-D", "-f", join(folder, "lighttpd.conf")], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...GDAL_ENV },
  });
  const server: Omit<TestedServer, "pids" | "start"> = {
    name: "MapServer",
    port,
    headers: {},
    path: (kind, z, x, y, encoding) =>
      `/mapserv?map=${folder}/tiles.map&mode=tile&tilemode=gmap&layers=${kind}&tile=${x}+${y}+${z}&map.imagetype=${encoding}`,
    close: onExit(() => {
      // lighttpd does not end its FastCGI processes
      for (const pid of [...childrenOf(child.pid!), child.pid!]) process.kill(pid, "SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }),
  };
  return answering(server, () => [child.pid!, ...childrenOf(child.pid!)], launch);
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
    ${data}
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
  OUTPUTFORMAT NAME "png" DRIVER "AGG/PNG" MIMETYPE "image/png" IMAGEMODE RGB EXTENSION "png" FORMATOPTION "COMPRESSION=6" END
  OUTPUTFORMAT NAME "png-1" DRIVER "AGG/PNG" MIMETYPE "image/png" IMAGEMODE RGB EXTENSION "png" FORMATOPTION "COMPRESSION=1" END
  OUTPUTFORMAT NAME "jpg" DRIVER "AGG/JPEG" MIMETYPE "image/jpeg" IMAGEMODE RGB EXTENSION "jpg" FORMATOPTION "QUALITY=85" END
  WEB METADATA "ows_enable_request" "*" END END
${layer("visual", `DATA "${visual}"`, [])}
${layer("rgb16", `DATA "${folder}/rgb.vrt"`, ["SCALE=1000,5000"])}
${layer("mosaic", `TILEINDEX "${folder}/mosaic.shp" TILEITEM "location"`, [])}
${layer("mosaic-edge", `TILEINDEX "${folder}/mosaic-edge.shp" TILEITEM "location"`, [])}
END
`;
}

/**
 * Tiles of a service on rasterio, in two processes, with a thread for each connection.
 *
 * @param folder where its files are, as GDAL names it.
 */
export async function startRasterioService(directory: string, folder = directory): Promise<TestedServer> {
  const kinds = ["visual", "ndvi", "mosaic", "mosaic-edge"] as const;
  const named = (paths: readonly string[]): string[] => paths.map((path) => path.replace(directory, folder));
  const bands = [3, 0, 1].map((i) => bandPath(directory, BANDS[i]!));
  const files = {
    rgb16: named(bands),
    ...Object.fromEntries(kinds.map((kind) => [kind, named(filesOf(directory, kind))])),
  };
  const launch = performance.now();
  const { port, pids, close } = await launchRasterio(files);
  const server: Omit<TestedServer, "pids" | "start"> = {
    name: "rasterio service",
    port,
    headers: {},
    path: (kind, z, x, y, encoding) => {
      const level = encoding === "png-1" ? "?1" : "";
      return `/${kind}/${z}/${x}/${y}.${encoding === "jpg" ? "jpeg" : "png"}${level}`;
    },
    close,
  };
  return answering(server, pids, launch);
}

/** Starts the service on rasterio with its files by kind of tile; those of `grid` have bounds in Web Mercator. */
export async function launchRasterio(files: Readonly<Record<string, readonly (string | GridBounds)[]>>): Promise<{
  readonly port: number;
  readonly pids: () => number[];
  close(): void;
}> {
  const port = await freePort();
  const script = join(import.meta.dirname, "peers/rasterio_service.py");
  const child = spawn(PYTHON, ["-W", "ignore", script, String(port), JSON.stringify(files)], {
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...GDAL_ENV },
    detached: true,
  });
  return {
    port,
    pids: () => [child.pid!, ...childrenOf(child.pid!)],
    close: onExit(() => process.kill(-child.pid!, "SIGKILL")),
  };
}

interface GridBounds {
  readonly path: string;
  readonly bounds: readonly number[];
}
