import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeAll, expect, inject, test } from "vitest";
import { archivedData } from "./archive.ts";
import { demand, hostEnvironment, runHost } from "./host.ts";
import { startService } from "./service.ts";

const scratch = inject("scratch");
let data: string;
beforeAll(async () => {
  data = await archivedData();
  console.log(`An empty folder with the packed packages, Node ${await demand("node", ["-v"], { cwd: scratch })}`);
});

/** Prints what a user would see, for a log that is kept. */
const log = (command: string, printed: string): void => console.log(`$ ${command}\n${printed.trimEnd()}`);

async function statusOf(url: string, key: string): Promise<string> {
  const answer = await fetch(url, { headers: { "X-API-Key": key } });
  return `${answer.status} ${answer.headers.get("Content-Type")} ${(await answer.arrayBuffer()).byteLength} bytes`;
}

const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/275/182";
const SERVED = [
  ["/explore", /^200 text\/html/],
  ["/account", /^200 text\/html/],
  ["/docs", /^200 text\/html/],
  ["/docs/guides/qgis", /^200 text\/html/],
  ["/docs/reference", /^200 text\/html/],
  ["/docs/changelog", /^200 text\/html/],
  ["/docs/images/landscape.jpg", /^200 image\/jpeg/],
  [`${TILE}.png`, /^200 image\/png \d{4,} bytes/],
  [`${TILE}.jpg`, /^200 image\/jpeg \d{4,} bytes/],
  [`${TILE}.webp`, /^200 image\/webp \d{4,} bytes/],
] as const;

test.each([
  ["npx swath-api", ["npx", "--no-install", "swath-api"]],
  ["npx swath serve", ["npx", "--no-install", "swath", "serve"]],
] as const)("%s serves tiles, the explorer and the documentation until SIGTERM ends it", async (name, command) => {
  const service = await startService({ command: [...command], cwd: scratch, data });
  const lines: string[] = [];
  for (const [path, expected] of SERVED) {
    const status = await statusOf(service.url + path, service.key);
    lines.push(`  ${path} ${status}`);
    expect(status, path).toMatch(expected);
  }
  const page = await (await fetch(`${service.url}/explore`)).text();
  const [, script = ""] = /src="(\/explore\/assets\/[^"]+\.js)"/.exec(page) ?? [];
  expect(await statusOf(service.url + script, service.key)).toMatch(/^200 text\/javascript/);
  await service.stop();
  await expect(fetch(service.url)).rejects.toThrow();
  log(name, [...lines, "  SIGTERM: ended"].join("\n"));
});

test("npx swath-api keys makes a key on the system's Node", async () => {
  const env = { SWATH_DATA_DIR: data };
  const { code, stdout } = await runHost("npx", ["--no-install", "swath-api", "keys", "list"], { cwd: scratch, env });
  expect(code).toBe(0);
  expect(stdout).not.toContain("Error");
});

test("a script of 12 lines draws a tile and a curve with @swath/engine alone", async () => {
  const { serveUpstream } = await import(pathToFileURL(join(scratch, "node_modules/@swath/sandbox/dist/node.js")).href);
  const upstream = await serveUpstream(join(data, "sandbox"));
  try {
    const code = `import { writeFile } from "node:fs/promises";
import { openEngine } from "@swath/engine/node";
const engine = await openEngine({ upstream: "${upstream.url}" });
const when = { collections: ["sentinel-2-l2a"], time: "2024-07-01/2024-07-31" };
const where = { kind: "tile", tileMatrixSet: "WebMercatorQuad", z: 11, x: 1099, y: 732 };
const tile = await engine.run({ where, when, what: { preset: "ndvi" }, into: { kind: "image", format: "png" } });
await writeFile("tile.png", tile.image.bytes);
const point = { kind: "point", lon: 13.27, lat: 45.51 };
const curve = await engine.run({ where: point, when, what: { index: "ndvi" }, into: { kind: "overpasses" } });
for (const { datetime, value } of curve.observations) console.log(datetime, value);
await engine.close();
`;
    expect(code.trim().split("\n").length).toBeLessThanOrEqual(12);
    const cwd = join(scratch, "script");
    await mkdir(cwd, { recursive: true });
    await writeFile(join(cwd, "draw.mjs"), code);
    const printed = await demand("node", ["draw.mjs"], { cwd });
    log(`node draw.mjs\n${code.replace(/^/gm, "  ")}`, printed);
    const rows = printed.trim().split("\n");
    expect(rows.length).toBeGreaterThan(1);
    for (const row of rows) expect(row).toMatch(/^2024-07-\d\dT[\d:.]+Z (-?0\.\d+|null)$/);
    const png = await readFile(join(cwd, "tile.png"));
    expect(png.subarray(1, 4).toString()).toBe("PNG");
    expect(png.length).toBeGreaterThan(2000);
  } finally {
    await upstream.close();
  }
});

test("npx swath series prints a CSV, and npx swath validate a verdict", async () => {
  const swath = (...args: string[]) =>
    runHost("npx", ["--no-install", "swath", "--data", data, ...args], {
      cwd: scratch,
      env: hostEnvironment() as never,
    });
  const args = [
    "series",
    "--lon",
    "13.27",
    "--lat",
    "45.51",
    "--time",
    "2024-07-01/2024-07-31",
    "--index",
    "ndvi",
    "--csv",
  ];
  const { code, stdout, stderr } = await swath(...args);
  log(`npx swath ${args.join(" ")}`, stdout);
  expect(`${code} ${stderr.replace(/^npm .*$/gm, "").trim()}`).toBe("0 ");
  const rows = stdout.trim().split("\r\n");
  expect(rows[0]).toBe("datetime,itemId,collection,platform,value,validFraction,harmonization");
  expect(rows.length).toBeGreaterThan(2);
  expect(rows[1]).toMatch(/^2024-07-\d\dT[^,]+,\w+,[\w-]+,[\w-]+,-?0\.\d+,1,\w+$/);
  const extract = [
    "extract",
    "--bbox",
    "13.25,45.5,13.29,45.53",
    "--collection",
    "sentinel-2-l2a",
    "--bands",
    "red,nir",
  ];
  const file = join(scratch, "area.tif");
  const written = await swath(...extract, "--time", "2024-07-01/2024-07-31", "--size", "700,700", "-o", file);
  log(`npx swath ${extract.join(" ")} ...`, written.stdout + written.stderr);
  expect(written.code).toBe(0);
  const verdict = await swath("validate", "--full", file);
  log("npx swath validate --full area.tif", verdict.stdout + verdict.stderr);
  expect(verdict.stderr).toContain("is a Cloud-Optimized GeoTIFF: 0 errors");
  expect((await swath("search", "--collection", "nope")).code).toBe(2);
});
