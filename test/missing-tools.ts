import { execFileSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { hasChromium } from "./tools/browser.ts";

const { SWATH_FIXTURES, SWATH_SCHEMAS } = process.env;

function runs(program: string, ...parameters: readonly string[]): boolean {
  try {
    execFileSync(program, parameters, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const POSTGRES = "/usr/lib/postgresql";
const hasPostgres =
  existsSync(POSTGRES) && readdirSync(POSTGRES).some((version) => existsSync(`${POSTGRES}/${version}/bin/initdb`));

/** Whether Debian's Python finds a module; it is not loaded. */
const hasModule = (name: string): boolean =>
  runs("/usr/bin/python3", "-c", `import sys, importlib.util as u; sys.exit(u.find_spec("${name}") is None)`);

/** Things that tests need beyond the repository and Node, whether each is there, and how to get it. */
const NEEDS: readonly (readonly [what: string, isThere: boolean, how: string])[] = [
  ["recorded documents and imagery", SWATH_FIXTURES !== undefined, "SWATH_FIXTURES is unset"],
  ["STAC's schemas", SWATH_SCHEMAS !== undefined, "SWATH_SCHEMAS is unset"],
  ["GDAL", runs("gdalwarp", "--version"), "Debian's gdal-bin is not installed"],
  [
    "GDAL's check of COGs",
    runs("/usr/bin/python3", "-c", "import osgeo_utils.samples"),
    "Debian's python3-gdal is not installed",
  ],
  ["a validator of XML", runs("xmllint", "--version"), "Debian's libxml2-utils is not installed"],
  ["OWSLib", hasModule("owslib"), "Debian's python3-owslib is not installed"],
  ["requests-oauthlib", hasModule("requests_oauthlib"), "Debian's python3-requests-oauthlib is not installed"],
  ["SciPy", hasModule("scipy"), "Debian's python3-scipy is not installed"],
  ["Matplotlib", hasModule("matplotlib"), "Debian's python3-matplotlib is not installed"],
  ["QGIS", hasModule("qgis"), "Debian's python3-qgis is not installed"],
  ["nginx", runs("nginx", "-v"), "Debian's nginx-light is not installed"],
  ["Chromium", hasChromium, "Debian's chromium-headless-shell is not installed"],
  ["PostgreSQL", hasPostgres, "Debian's postgresql is not installed"],
];

/** Set on the process, in which this file is loaded once for each project. */
const REPORTED = Symbol.for("swath.missing-tools.reported");

/** Names, once per run, the kinds of tests that will be skipped. */
export default function setup(): void {
  if (Reflect.has(process, REPORTED)) return;
  Reflect.set(process, REPORTED, true);
  for (const [what, isThere, how] of NEEDS) if (!isThere) console.info(`skipped: tests that need ${what} (${how})`);
}
