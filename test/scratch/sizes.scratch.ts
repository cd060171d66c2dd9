import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { NODE_ALONE, packages } from "../workspace.ts";
import { bundle } from "./bundle.ts";
import { ROOT } from "./host.ts";

const { UPDATE_SIZES } = process.env;
const scratch = inject("scratch");
const PAGE = join(ROOT, "docs", "packages.md");

/** Most a package may be, kB: packed, and bundled for a browser where it runs in one. */
const LIMITS: Readonly<Record<string, readonly [download: number, bundle?: number]>> = {
  // with the routes for them
  accounts: [250],
  archive: [100],
  // with counts, and what the queryables of collections say
  catalog: [260, 140],
  cli: [60],
  // with the rules of COGs
  cog: [205, 100],
  doctor: [45, 60],
  // with files in parts
  encode: [120, 30],
  // with tiles of low zooms, and files in parts
  engine: [440, 10],
  geometry: [45, 12],
  openeo: [135, 55],
  // with the cache that loads are kept in
  http: [24, 10],
  // with the WebAssembly of the decoder, which is loaded with the first tile
  jp2: [200, 100],
  mosaic: [58, 67],
  problem: [30, 80],
  query: [105, 30],
  // with the definitions of EPSG codes, as source and as built: 44 kB each, loaded when a file needs them
  raster: [255, 80],
  // with the valley and what is known of it
  sandbox: [170, 80],
  // with the data of thirteen collections, of the kinds of upstreams and of 241 indices
  schema: [305, 80],
  stac: [45, 80],
  store: [100, 60],
  otlp: [20],
  tracing: [20],
  web: [60],
  legacy: [75],
  mcp: [60],
  chart: [30],
  curve: [40, 10],
};
/** Most the page of `examples/cog-in-the-browser` may load at first, kB. */
const BROWSER_LIMIT = 100;

interface Row {
  readonly name: string;
  readonly download?: number;
  readonly bundle?: number;
  readonly limits: readonly [download: number, bundle?: number];
}

const kB = (bytes: number): number => Math.ceil(bytes / 1024);

async function measure(): Promise<Row[]> {
  const packed = inject("packed");
  const rows: Row[] = [];
  for (const { name, manifest } of packages) {
    const download = kB(packed[name] ?? 0);
    const limits = LIMITS[name] ?? [0];
    if (NODE_ALONE.includes(name)) {
      rows.push({ name: manifest.name, download, limits });
      continue;
    }
    const code = `import * as all from "${manifest.name}"; globalThis.all = all;`;
    const { initial } = await bundle(scratch, { code });
    rows.push({ name: manifest.name, download, bundle: kB(initial), limits });
  }
  const folder = join(scratch, "sizes");
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await cp(join(ROOT, "examples/cog-in-the-browser/main.ts"), join(folder, "main.ts"));
  const { initial } = await bundle(folder, "main.ts");
  return [...rows, { name: "COG in the browser, the example", bundle: kB(initial), limits: [0, BROWSER_LIMIT] }];
}

function table(rows: readonly Row[]): string {
  const cell = (value: number | undefined, limit: number | undefined) =>
    value === undefined ? "" : `${value} kB of ${limit}`;
  const lines = rows.map(({ name, download, bundle: loaded, limits }) => {
    const shown = name.startsWith("@") ? `\`${name}\`` : name;
    return `| ${shown} | ${cell(download, limits[0])} | ${cell(loaded, limits[1])} |`;
  });
  return ["| package | download | bundle |", "|---|---|---|", ...lines].join("\n");
}

const BLOCK = /(<!-- sizes -->\n)[\s\S]*?(<!-- \/sizes -->)/;
const numbersOf = (text: string): number[] => [...text.matchAll(/(\d+) kB of/g)].map(([, value]) => Number(value));

test("every package keeps to its limits, and docs/packages.md says what is measured", async () => {
  const rows = await measure();
  const over = rows.filter(
    ({ download = 0, bundle: loaded = 0, limits }) => download > limits[0] || loaded > (limits[1] ?? 0),
  );
  expect(over).toEqual([]);
  const page = await readFile(PAGE, "utf8");
  if (UPDATE_SIZES !== undefined) {
    await writeFile(PAGE, page.replace(BLOCK, `$1\n${table(rows)}\n\n$2`));
    return;
  }
  const listed = numbersOf(BLOCK.exec(page)?.[0] ?? "");
  const measured = rows
    .flatMap(({ download, bundle: loaded }) => [download, loaded])
    .filter((size) => size !== undefined);
  expect(listed).toHaveLength(measured.length);
  for (const [i, size] of measured.entries()) {
    // to see all: UPDATE_SIZES=1 npm run scratch -- sizes
    expect(Math.abs((listed[i] ?? 0) - size), `${table(rows)}\nlisted: ${listed}`).toBeLessThanOrEqual(
      Math.max(1, size * 0.15),
    );
  }
});
