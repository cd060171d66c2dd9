import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { FleetNode } from "../apps/api/test/operations/fleet/node.ts";
import { type ServedUpstream, serveUpstream } from "../packages/sandbox/src/node.ts";
import { FUNCTION_HOST, type RunningFunction, startFunction } from "./tools/function/start-function.ts";
import { hasPostgres, startPostgres } from "./tools/postgres-server.ts";
import { DAY, KEY, PROCESS, TILE } from "./tools/requests-of-builds.ts";

const BUILD = fileURLToPath(new URL("../deploy/function/build.mjs", import.meta.url));
const WITH_KEY = { "X-API-Key": KEY };

let folder: string;
let file: string;
let upstream: ServedUpstream;
let service: RunningFunction;
let server: FleetNode;

/** Starts what was unpacked, with state of its own. */
async function start(variables: Readonly<Record<string, string>> = {}): Promise<RunningFunction> {
  const SWATH_DATA_DIR = await mkdtemp(join(folder, "state-"));
  return startFunction(join(folder, "unpacked"), {
    SWATH_UPSTREAM_URL: upstream.url,
    SWATH_API_KEYS: KEY,
    SWATH_DATA_DIR,
    ...variables,
  });
}

const bytesOf = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());

describe.skipIf(process.platform !== "linux")("the service as a function", () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "swath-function-"));
    file = join(folder, "swath.zip");
    await promisify(execFile)(process.execPath, [BUILD, file]);
    for (const [path, bytes] of Object.entries(unzipSync(await readFile(file)))) {
      await mkdir(dirname(join(folder, "unpacked", path)), { recursive: true });
      await writeFile(join(folder, "unpacked", path), bytes);
    }
    upstream = await serveUpstream(inject("sandbox"));
    const settings = { SWATH_UPSTREAM_URL: upstream.url, SWATH_API_KEYS: KEY, SWATH_WORKERS: "1" };
    server = new FleetNode("server", { ...settings, SWATH_DATA_DIR: join(folder, "server") });
    [service] = await Promise.all([start(), server.start()]);
  });
  afterAll(async () => {
    await Promise.all([service.stop(), server.kill()]);
    await upstream.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("its file has at most 50 MB", async () => {
    expect((await stat(file)).size).toBeLessThan(50e6);
  });

  test.each(["png", "jpg", "webp"])("a tile as %s is the server's, byte by byte", async (format) => {
    const path = `${TILE}.${format}?${DAY}`;
    const answer = await service.request(path, { headers: WITH_KEY });
    const expected = await fetch(`${server.url}${path}`, { headers: WITH_KEY });
    expect([answer.status, expected.status]).toEqual([200, 200]);
    for (const name of ["Content-Type", "ETag", "Cache-Control", "X-Scenes-Used"]) {
      expect(answer.headers.get(name)).toBe(expected.headers.get(name));
    }
    expect((await bytesOf(answer)).equals(await bytesOf(expected))).toBe(true);
  });

  test("it asks the upstream for as many searches and files as the server does for a tile", async () => {
    const path = `/v1/tiles/true-color/WebMercatorQuad/12/2203/1460.png?${DAY}`;
    upstream.resetRequests();
    expect((await fetch(`${server.url}${path}`, { headers: WITH_KEY })).status).toBe(200);
    const { ...expected } = upstream.requests;
    upstream.resetRequests();
    expect((await service.request(path, { headers: WITH_KEY })).status).toBe(200);
    expect(upstream.requests).toEqual(expected);
  });

  test("an entity tag that is known is answered without bytes, and HEAD too", async () => {
    const path = `${TILE}.png?${DAY}`;
    const head = await service.request(path, { method: "HEAD", headers: WITH_KEY });
    expect([head.status, (await bytesOf(head)).length]).toEqual([200, 0]);
    expect(Number(head.headers.get("Content-Length"))).toBeGreaterThan(1000);
    const again = await service.request(path, { headers: { ...WITH_KEY, "If-None-Match": head.headers.get("ETag")! } });
    expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
  });

  test("a search by GET and by POST, compressed where the client takes it; links lead to the function", async () => {
    const answer = await service.request("/v1/search?limit=2", { headers: WITH_KEY });
    const page = await answer.json();
    expect(page.features).toHaveLength(2);
    const { href } = page.links.find(({ rel }: { rel: string }) => rel === "next");
    expect(new URL(href).host).toBe(FUNCTION_HOST);
    const next = await service.request(href, { headers: WITH_KEY });
    expect((await next.json()).features).toHaveLength(2);
    const posted = await service.request("/v1/search", {
      method: "POST",
      headers: { ...WITH_KEY, "Content-Type": "application/json", "Accept-Encoding": "gzip" },
      body: JSON.stringify({ limit: 20 }),
    });
    expect(posted.headers.get("Content-Encoding")).toBe("gzip");
    const text = await new Response(posted.body!.pipeThrough(new DecompressionStream("gzip"))).json();
    expect(text.features).toHaveLength(20);
  });

  test("what is not there, a wrong key and a job that nobody would carry out are problems", async () => {
    const codes: unknown[] = [];
    const add = async (response: Response): Promise<void> => {
      codes.push([response.status, (await response.json()).code]);
    };
    await add(await service.request("/v1/nothing", { headers: WITH_KEY }));
    await add(await service.request(`${TILE}.png?${DAY}`, { headers: { "X-API-Key": "another" } }));
    const headers = { ...WITH_KEY, "Content-Type": "application/json" };
    const body = JSON.stringify(PROCESS);
    await add(await service.request("/v1/process/jobs", { method: "POST", headers, body }));
    expect(codes).toEqual([
      [404, "not-found"],
      [401, "invalid-key"],
      [405, "method-not-allowed"],
    ]);
  });

  test("a GeoTIFF is the server's; of one that the interface does not take parts are sent", async () => {
    const sized = (width: number, bands = PROCESS.bands) => ({
      method: "POST",
      headers: { ...WITH_KEY, "Content-Type": "application/json" },
      body: JSON.stringify({ ...PROCESS, bands, output: { width, height: width } }),
    });
    const answer = await service.request("/v1/process", sized(100));
    const expected = await fetch(`${server.url}/v1/process`, sized(100));
    expect([answer.status, expected.status]).toEqual([200, 200]);
    expect((await bytesOf(answer)).equals(await bytesOf(expected))).toBe(true);

    const many = ["B02", "B03", "B04", "B08", "B11", "B12"];
    const link = (await service.request("/v1/process", sized(2500, many))).headers.get("Location")!;
    const whole = await service.request(link);
    expect([whole.status, (await whole.json()).code]).toEqual([413, "output-too-large"]);
    const part = await service.request(link, { headers: { Range: "bytes=0-999999" } });
    expect([part.status, (await bytesOf(part)).length]).toEqual([206, 1_000_000]);
  });

  test("legends, whose library is not in the bundle, are the server's", async () => {
    const path = "/v1/presets/ndvi/legend.png";
    const [answer, expected] = [await service.request(path), await fetch(`${server.url}${path}`)];
    expect([answer.status, expected.status]).toEqual([200, 200]);
    expect((await bytesOf(answer)).equals(await bytesOf(expected))).toBe(true);
  });

  test("what was counted outlives an instance that ends without a word", async () => {
    const settings = { SWATH_LIMIT_KEY_MONTHLY: "1", SWATH_DATA_DIR: join(folder, "counted") };
    const first = await start(settings);
    expect((await first.request("/v1/search?limit=1", { headers: WITH_KEY })).status).toBe(200);
    await first.stop();
    const second = await start(settings);
    const answer = await second.request("/v1/search?limit=1", { headers: WITH_KEY });
    expect([answer.status, (await answer.json()).code]).toEqual([429, "quota-exhausted"]);
    await second.stop();
  });

  test.skipIf(!hasPostgres)("instances on one database take each other's links, and jobs for workers", async () => {
    const postgres = await startPostgres();
    const settings = { DATABASE_URL: await postgres.freshDatabase() };
    const [one, two] = await Promise.all([start(settings), start(settings)]);
    const page = await (await one.request("/v1/search?limit=1", { headers: WITH_KEY })).json();
    const { href } = page.links.find(({ rel }: { rel: string }) => rel === "next");
    expect((await two.request(href, { headers: WITH_KEY })).status).toBe(200);
    const headers = { ...WITH_KEY, "Content-Type": "application/json" };
    const job = await one.request("/v1/process/jobs", { method: "POST", headers, body: JSON.stringify(PROCESS) });
    expect(job.status).toBe(202);
    const found = await two.request(job.headers.get("Location")!, { headers: WITH_KEY });
    expect((await found.json()).status).toBe("queued");
    await Promise.all([one.stop(), two.stop()]);
    await postgres.stop();
  });

  test("lean v1 is served too", async () => {
    const lean = await start({ SWATH_PROFILE: "lean" });
    try {
      expect((await lean.request(`${TILE}.png?${DAY}`, { headers: WITH_KEY })).status).toBe(200);
    } finally {
      await lean.stop();
    }
  });

  test("without an upstream it does not start, and says which setting is missing", async () => {
    const broken = await start({ SWATH_UPSTREAM_URL: "" });
    await expect(broken.request("/v1")).rejects.toThrow("set SWATH_UPSTREAM_URL");
    await broken.stop();
  });
});
