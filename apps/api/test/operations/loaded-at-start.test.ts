import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childEnvironment } from "../../../../test/tools/child-environment.ts";
import { freePort } from "../../../../test/tools/free-port.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
/** Packages of which each takes as long to load as many routes, and what they are for. */
const LATER = {
  "@modelcontextprotocol/server": "messages of language models",
  "d3-scale": "charts",
  nodemailer: "mails",
  "opentype.js": "charts",
  pg: "PostgreSQL",
  "prom-client": "metrics that are scraped",
  sharp: "charts as PNG",
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-loaded-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Packages that the service has loaded when it listens, on its main thread. */
async function loadedAtStart(variables: Readonly<Record<string, string>> = {}): Promise<ReadonlySet<string>> {
  const list = join(folder, "modules");
  const hook = `import { registerHooks } from "node:module"; import { appendFileSync } from "node:fs";
    import { isMainThread } from "node:worker_threads";
    if (isMainThread) registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(list)}, url + "\\n"); return next(url, context); } });`;
  const options = ["--conditions=@swath/source", "--import", `data:text/javascript,${encodeURIComponent(hook)}`];
  const service = spawn(process.execPath, [...options, MAIN], {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: {
      ...childEnvironment(),
      PORT: "0",
      SWATH_DATA_DIR: join(folder, "data"),
      SWATH_UPSTREAM_URL: "http://127.0.0.1:9/stac",
      SWATH_WORKERS: "1",
      SWATH_WARM_UP: "off",
      ...variables,
    },
  });
  const ended = new Promise<number | null>((resolve) => service.once("exit", resolve));
  await Promise.race([new Promise((resolve) => service.once("message", resolve)), ended]);
  service.kill("SIGTERM");
  expect(await ended).toBe(0);
  const urls = (await readFile(list, "utf8")).split("\n");
  await rm(list);
  return new Set(urls.flatMap((url) => /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []));
}

test("the service listens before it loads what its first requests do not need", async () => {
  const loaded = await loadedAtStart();
  expect(loaded).toContain("hono");
  expect(Object.keys(LATER).filter((name) => loaded.has(name))).toEqual([]);
});

test("a service whose metrics are scraped counts them", async () => {
  const loaded = await loadedAtStart({ SWATH_METRICS_PORT: String(await freePort()) });
  expect(loaded).toContain("prom-client");
});
