import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { FleetNode } from "../apps/api/test/operations/fleet/node.ts";
import { type ServedUpstream, serveUpstream } from "../packages/sandbox/src/node.ts";
import { DAY, KEY, PROCESS, TILE } from "./tools/requests-of-builds.ts";

/** The entry that the published package and the image start; `turbo run build` makes it. */
const MAIN = fileURLToPath(new URL("../apps/api/dist/main.js", import.meta.url));
const MONTH = "datetime=2024-07-01/2024-07-31";

let folder: string;
let loaded: string;
let upstream: ServedUpstream;
let bundled: FleetNode;
let plain: FleetNode;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-bundle-"));
  loaded = join(folder, "modules");
  // runs in render threads too
  const hook = `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
    registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(loaded)}, url + "\\n"); return next(url, context); } });`;
  const command = ["--import", `data:text/javascript,${encodeURIComponent(hook)}`, MAIN];
  upstream = await serveUpstream(inject("sandbox"));
  const settings = { SWATH_UPSTREAM_URL: upstream.url, SWATH_API_KEYS: KEY, SWATH_WORKERS: "1" };
  const withState = (name: string) => ({ ...settings, SWATH_DATA_DIR: join(folder, name) });
  bundled = new FleetNode("bundled", withState("bundled"), undefined, command);
  plain = new FleetNode("plain", withState("plain"));
  await Promise.all([bundled.start(), plain.start()]);
});
afterAll(async () => {
  await Promise.all([bundled.kill(), plain.kill()]);
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

const filesLoaded = async (): Promise<string[]> =>
  (await readFile(loaded, "utf8")).split("\n").filter((url) => url.startsWith("file:"));

test("a start reads tens of files, none of them of a package that is bundled", async () => {
  const files = await filesLoaded();
  expect(files.length).toBeLessThan(100);
  const packages = files.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []);
  expect(packages.filter((name) => /^(hono|zod|pg|pino|sharp)$/.test(name))).toEqual([]);
});

const post = { method: "POST", body: JSON.stringify(PROCESS) };
test.each<[string, string, RequestInit?]>([
  ["a tile as PNG", `${TILE}.png?${DAY}`],
  ["a tile as JPEG, of the native encoder", `${TILE}.jpg?${DAY}`],
  ["a tile as WebP", `${TILE}.webp?${DAY}`],
  ["a legend, of a native library", "/v1/presets/ndvi/legend.png"],
  ["a chart, with its font", `/v1/timeseries?lon=13.27&lat=45.51&index=ndvi&${MONTH}&format=png`],
  ["a GeoTIFF", "/v1/process", post],
])("%s is the same as from the sources, byte by byte", async (_, path, options) => {
  const headers = { "X-API-Key": KEY, "Content-Type": "application/json" };
  const [answer, expected] = await Promise.all(
    [bundled, plain].map(({ url }) => fetch(`${url}${path}`, { ...options, headers })),
  );
  expect([answer!.status, expected!.status]).toEqual([200, 200]);
  expect(answer!.headers.get("Content-Type")).toBe(expected!.headers.get("Content-Type"));
  const [bytes, expectedBytes] = await Promise.all([answer!, expected!].map((each) => each.arrayBuffer()));
  expect(Buffer.from(bytes!).equals(Buffer.from(expectedBytes!))).toBe(true);
});

test("native libraries are those that are installed", async () => {
  const files = await filesLoaded();
  expect(files.some((url) => url.includes("/@julusian/jpeg-turbo/"))).toBe(true);
  expect(files.some((url) => url.includes("/node_modules/sharp/"))).toBe(true);
});

test("it stops in time", async () => {
  expect(await bundled.stop()).toBe(0);
});
