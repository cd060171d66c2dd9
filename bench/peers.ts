import { type ChildProcessByStdio, execFileSync, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Run } from "./measure.ts";

/** Debian's Python, which sees Debian's rasterio and GDAL. */
export const PYTHON = "/usr/bin/python3";
export const MAPSERV = "/usr/lib/cgi-bin/mapserv";
export const LIGHTTPD = "/usr/sbin/lighttpd";

/** Bytes of decoded blocks that GDAL may keep, as many as a service keeps by default. */
export const CACHE_MB = 512;

/** Settings of GDAL that its manual and TiTiler's recommend for Cloud-Optimized GeoTIFFs. */
export const GDAL_ENV: Readonly<Record<string, string>> = {
  GDAL_CACHEMAX: String(CACHE_MB),
  GDAL_DISABLE_READDIR_ON_OPEN: "EMPTY_DIR",
  GDAL_INGESTED_BYTES_AT_OPEN: "32768",
  GDAL_HTTP_MERGE_CONSECUTIVE_RANGES: "YES",
  GDAL_HTTP_MULTIPLEX: "YES",
  VSI_CACHE: "TRUE",
  VSI_CACHE_SIZE: "5000000",
};

interface Answer extends Run {
  readonly result: unknown;
}

/** A Python program that answers one line of JSON with another, so that it and this process can take turns. */
export class PythonPeer {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  readonly #script: string;

  /** @param env settings beside {@link GDAL_ENV} */
  constructor(script: "rasterio_render.py" | "gdal_extract.py", env: Readonly<Record<string, string>> = {}) {
    this.#script = script;
    this.#child = spawn(PYTHON, ["-W", "ignore", join(import.meta.dirname, "peers", script)], {
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, ...GDAL_ENV, ...env },
    });
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** The cost of one run, and what it returns. */
  async run(request: object): Promise<Answer> {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done === true) throw new Error(`${this.#script} has ended.`);
    return JSON.parse(value) as Answer;
  }

  close(): void {
    this.#reader.close();
    this.#child.kill();
  }
}

/** Versions of the peers, and the names of those that are not installed. */
export function findPeers(): { readonly versions: string; readonly missing: readonly string[] } {
  const missing: string[] = [];
  const ask = (name: string, command: string, args: readonly string[]): string => {
    try {
      return execFileSync(command, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      missing.push(name);
      return "";
    }
  };
  const gdal = /GDAL ([\d.]+)/.exec(ask("gdal-bin", "gdalwarp", ["--version"]))?.[1];
  const modules = "import rasterio; from osgeo import gdal; print(rasterio.__version__)";
  const rasterio = ask("python3-rasterio and python3-gdal", PYTHON, ["-c", modules]).trim();
  const mapserver = /version ([\d.]+)/.exec(ask("cgi-mapserver", MAPSERV, ["-v"]))?.[1];
  if (!existsSync(LIGHTTPD)) missing.push("lighttpd");
  return { versions: `GDAL ${gdal}, rasterio ${rasterio}, MapServer ${mapserver}`, missing };
}
