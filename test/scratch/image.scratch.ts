import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../tools/free-port.ts";
import { ROOT } from "./host.ts";

const SCRIPT = join(ROOT, "scripts/image.mjs");
const canMount = process.platform === "linux" && spawnSync("unshare", ["-m", "true"]).status === 0;
const why = canMount ? "" : " (skipped: mounts need root on Linux)";

/** The steps of the Dockerfile in a root of their own, since there is no engine of containers here. */
describe.skipIf(!canMount)(`what the Dockerfile makes${why}`, () => {
  let folder: string;
  let started: ChildProcess | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "swath-image-"));
    const { status, stderr } = spawnSync(process.execPath, [SCRIPT, "make", folder], { encoding: "utf8" });
    expect(`${status} ${status === 0 ? "" : stderr.slice(-2000)}`).toBe("0 ");
  }, 600_000);
  afterAll(async () => {
    started?.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });

  test("holds what the service runs on, and neither tests nor sources nor what builds it", async () => {
    expect(await readdir(join(folder, "swath"))).toEqual(
      expect.arrayContaining(["LICENSE", "apps", "node_modules", "packages"]),
    );
    const files = await readdir(join(folder, "swath"), { recursive: true });
    const own = files.filter((file) => !file.includes("node_modules"));
    expect(own.filter((file) => /(^|\/)(test|src)$/.test(file))).toEqual([]);
    expect(own).toEqual(
      expect.arrayContaining([
        "apps/api/dist/main.js",
        "apps/docs/dist/index.html",
        "apps/explorer/dist/index.html",
        "packages/engine/dist/index.js",
      ]),
    );
    const installed = await readdir(join(folder, "swath/node_modules/.pnpm"));
    expect(installed.filter((name) => /^(vitest|typescript|turbo|vite)@/.test(name))).toEqual([]);
  });

  test("starts as an account without rights on a read-only file system, is ready, and ends within ten seconds of SIGTERM", async () => {
    const [port, health] = [await freePort(), await freePort()];
    const variables = [
      `HOST=127.0.0.1`,
      `PORT=${port}`,
      `SWATH_HEALTH_PORT=${health}`,
      "SWATH_UPSTREAM_URL=http://127.0.0.1:9/v1",
      "SWATH_API_KEYS=key",
      "SWATH_WORKERS=1",
    ];
    const child = spawn(process.execPath, [SCRIPT, "run", folder, ...variables], { stdio: ["ignore", "pipe", "pipe"] });
    started = child;
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    const statusOf = (at: number, path: string) =>
      fetch(`http://127.0.0.1:${at}${path}`, { headers: { "X-API-Key": "key" } }).then(
        ({ status }) => status,
        () => 0,
      );
    await expect
      .poll(() => statusOf(health, "/ready"), { timeout: 120_000, interval: 200, message: printed })
      .toBe(200);
    expect(await statusOf(port, "/v1/schema")).toBe(200);

    // the process that answers, by the port in its environment
    const processes = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const own = [];
    for (const id of processes) {
      const environment = await readFile(`/proc/${id}/environ`, "utf8").catch(() => "");
      if (environment.split("\0").includes(`SWATH_HEALTH_PORT=${health}`))
        own.push(await readFile(`/proc/${id}/status`, "utf8"));
    }
    expect(own).toHaveLength(1);
    expect(own[0]).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(own[0]).toMatch(/^CapEff:\t0+$/m);
    expect(own[0]).toMatch(/^NoNewPrivs:\t1$/m);

    child.kill("SIGTERM");
    const [code] = (await once(child, "exit")) as [number | null];
    // a process that has not stopped after 9.5 s ends itself with 1
    expect(code).toBe(0);
  });
});
