import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";

/** Does what GDAL's programs of these names do, with their options: a line of JSON for each call and each result. */
const PROGRAM = `
import json, sys
from osgeo import gdal
from osgeo_utils.samples.validate_cloud_optimized_geotiff import validate
gdal.UseExceptions()
gdal.SetConfigOption("GDAL_PAM_ENABLED", "NO")

def info(path, options):
    return gdal.Info(path, format="json", deserialize=False, options=options)

def translate(source, target, options, opened_with):
    gdal.Translate(target, gdal.OpenEx(source, open_options=opened_with), options=options)

def warp(source, target, options):
    gdal.Warp(target, source, options=options)

def check(path):
    return [str(each) for part in validate(path, full_check=True)[:2] for each in part]

calls = {each.__name__: each for each in [info, translate, warp, check]}
for line in sys.stdin:
    name, *given = json.loads(line)
    try:
        answer = {"result": calls[name](*given)}
    except Exception as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
`;

interface Answer {
  readonly result?: unknown;
  readonly error?: string;
}

/** GDAL in a process of Debian's Python, which takes longer to start than most calls take. It ends with this process. */
class GdalProcess {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #waiting: { resolve: (result: unknown) => void; reject: (error: Error) => void }[] = [];

  constructor() {
    this.#child = spawn("/usr/bin/python3", ["-c", PROGRAM], { stdio: ["pipe", "pipe", "ignore"] });
    this.#child.unref();
    createInterface({ input: this.#child.stdout }).on("line", (line) => {
      const { result, error } = JSON.parse(line) as Answer;
      const call = this.#waiting.shift();
      if (error === undefined) call?.resolve(result);
      else call?.reject(new Error(error));
    });
    this.#child.once("exit", () => {
      for (const { reject } of this.#waiting.splice(0)) reject(new Error("The process of GDAL has ended."));
    });
  }

  call(name: string, given: readonly unknown[]): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      this.#child.stdin.write(`${JSON.stringify([name, ...given])}\n`);
    });
  }
}

let running: GdalProcess | undefined;

function call(name: string, ...given: readonly unknown[]): Promise<unknown> {
  running ??= new GdalProcess();
  return running.call(name, given);
}

/** Returns the JSON of `gdalinfo`. */
export async function gdalInfoText(path: string, options: readonly string[] = []): Promise<string> {
  return String(await call("info", path, options));
}

/**
 * Does what `gdal_translate` does.
 *
 * @param openedWith what `-oo` of the program takes
 */
export async function gdalTranslate(
  source: string,
  target: string,
  options: readonly string[],
  openedWith: readonly string[] = [],
): Promise<void> {
  await call("translate", source, target, options, openedWith);
}

/** Does what `gdalwarp` does. */
export async function gdalWarpTo(source: string, target: string, options: readonly string[]): Promise<void> {
  await call("warp", source, target, options);
}

/** Returns the warnings and errors of GDAL's validation of a Cloud-Optimized GeoTIFF, with every block's leader and trailer checked. */
export async function gdalCogFindings(path: string): Promise<readonly string[]> {
  return (await call("check", path)) as string[];
}
