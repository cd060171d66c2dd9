import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Renderer } from "@swath/engine/node";
import { type JobQueue, type JobRunnerOptions, startJobRunner, storedJobs } from "@swath/store/jobs";
import { linkSigner, openResultFolder, secretFile } from "@swath/store/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { ProblemError } from "../../src/errors/problems.ts";
import { openStore } from "../../src/open/open-store.ts";
import type { Services } from "../../src/operations/services.ts";
import { removeExpired } from "../../src/service/housekeeping.ts";
import { runnerParts } from "../../src/service/job-kinds.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { KEY, memoryStore, NOW, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { memoryQueue } from "./memory-queue.ts";
import { S2 } from "./process-cases.ts";

const BODY = {
  input: {
    bounds: { bbox: [12.6, 45.2, 12.9, 45.4] },
    data: [{ type: "sentinel-2-l2a", dataFilter: { ids: [S2.july] } }],
  },
  bands: ["B04", "B08"],
  output: { width: 64, height: 32, crs: "EPSG:4326" },
};
const HOUR = 3_600_000;

interface Job {
  readonly id: string;
  readonly status: string;
  readonly progress: number;
  readonly created: string;
  readonly files?: { url: string; [member: string]: unknown }[];
  readonly items_used?: string[];
  readonly error?: { code: string; title: string; detail: string; status: number };
  readonly links: { rel: string; href: string; type?: string; title?: string }[];
}

let folder: string;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-jobs-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await Promise.all(stops.splice(0).map((stop) => stop()));
  await rm(folder, { recursive: true, force: true });
});

interface Started {
  readonly service: TestService;
  readonly parts: Services;
  run(options?: JobRunnerOptions): () => Promise<void>;
}

async function start({ store: _, ...replaced }: Partial<Services> & { store?: unknown } = {}): Promise<Started> {
  const parts = await sandboxServices({
    results: openResultFolder(join(folder, "results")),
    jobs: memoryQueue(() => Date.now()),
    now: () => new Date(),
    keys: accountsOn(await memoryStore(), { apiKeys: [KEY, "other-key"] }).keys,
    ...replaced,
  });
  return {
    parts,
    service: await testService(parts),
    run: (options = {}) => {
      const runner = startJobRunner(runnerParts(parts), { pollMs: 10, ...options });
      stops.push(() => runner.stop());
      return () => runner.stop();
    },
  };
}

async function submitted(service: TestService, body: unknown = BODY): Promise<Job> {
  const response = await service.post("/v1/process/jobs", body);
  expect(response.status, await response.clone().text()).toBe(202);
  return (await response.json()) as Job;
}

/** Waits until a job is there; the time is for what hangs. */
async function poll(service: TestService, id: string, until: (job: Job) => boolean): Promise<Job> {
  let job: Job | undefined;
  const isThere = async (): Promise<boolean> => {
    const response = await service.get(`/v1/process/jobs/${id}`);
    expect(response.status).toBe(200);
    job = (await response.json()) as Job;
    return until(job);
  };
  await expect.poll(isThere, { timeout: 100_000, interval: 20, message: id }).toBe(true);
  return job as Job;
}
const isOver = ({ status }: Job): boolean => status === "done" || status === "failed";

/** A renderer whose extractions wait until they are released. */
function held(renderer: Renderer): {
  renderer: Renderer;
  running: () => number;
  ended: () => number;
  release: () => void;
} {
  let running = 0;
  let ended = 0;
  let release = (): void => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    running: () => running,
    ended: () => ended,
    release,
    renderer: {
      ...renderer,
      extract: async (job, options) => {
        running += 1;
        try {
          options.onProgress?.(0.25);
          options.signal.throwIfAborted();
          await new Promise<void>((resolve, reject) => {
            options.signal.addEventListener("abort", () => reject(options.signal.reason), { once: true });
            gate.then(resolve, reject);
          });
          return await renderer.extract(job, options);
        } finally {
          running -= 1;
          ended += 1;
        }
      },
    },
  };
}

test("a job goes from queued to done, and its links serve the file without a key", {
  tags: ["K3", "K4", "K5"],
}, async () => {
  const { service, run } = await start();
  const response = await service.post("/v1/process/jobs", BODY);
  const queued = (await response.json()) as Job;
  expect(response.status).toBe(202);
  expect(response.headers.get("Location")).toBe(`http://service.test/v1/process/jobs/${queued.id}`);
  expect(response.headers.get("Retry-After")).toBe("2");
  expect(queued).toMatchObject({ status: "queued", progress: 0 });
  expect(queued.links).toMatchObject([{ rel: "self", href: `http://service.test/v1/process/jobs/${queued.id}` }]);
  run();
  const done = await poll(service, queued.id, isOver);
  expect(done).toMatchObject({ status: "done", progress: 1, items_used: [S2.july] });
  expect(done.files).toMatchObject([
    {
      filename: "sentinel-2-l2a_2024-07-04.tif",
      bands: ["B04", "B08"],
      dtype: "float32",
      scales: [1, 1],
      offsets: [0, 0],
      nodata: "nan",
      width: 64,
      height: 32,
      crs: "EPSG:4326",
      bounds: [12.6, 45.2, 12.9, 45.4],
      attribution: "Contains modified Copernicus Sentinel data 2024",
    },
  ]);
  const [file] = done.files ?? [];
  expect(done.links[1]).toEqual({ rel: "result", href: file?.url, type: "image/tiff", title: file?.filename });
  const got = await service.request((file?.url ?? "").replace("http://service.test", ""));
  expect(got.status).toBe(200);
  expect((await got.arrayBuffer()).byteLength).toBe(file?.bytes);
});

test("a folder of results that can no longer be written fails jobs and extractions as passing, and nothing else", async () => {
  const { service, run } = await start();
  await writeFile(join(folder, "results"), "a file in place of the folder");
  run();
  const fault = { status: 503, code: "upstream-unavailable", detail: "The service cannot write output files now." };
  const { id } = await submitted(service);
  expect(await poll(service, id, isOver)).toMatchObject({ status: "failed", error: fault });
  const response = await service.post("/v1/process", BODY);
  expect(response.headers.get("Retry-After")).toBe("60");
  expect(await response.json()).toMatchObject(fault);
  const image = await service.get(`/v1/collections/sentinel-2-l2a/items/${S2.july}/preview.png?max_size=64`);
  expect(image.status).toBe(200);
});

test("a job of stored values says how they become physical values", { tags: ["K5"] }, async () => {
  const { service, run } = await start();
  const [data] = BODY.input.data;
  run();
  const draw = async (harmonize: string) => {
    const input = { ...BODY.input, data: [{ ...data, processing: { units: "DN", harmonize } }] };
    return (await poll(service, (await submitted(service, { ...BODY, input })).id, isOver)).files?.[0];
  };
  expect(await draw("none")).toMatchObject({
    dtype: "uint16",
    nodata: 0,
    scales: [0.0001, 0.0001],
    offsets: [-0.1, -0.1],
  });
  expect(await draw("offset_removed")).toMatchObject({
    dtype: "int16",
    nodata: -32768,
    scales: [0.0001, 0.0001],
    offsets: [0, 0],
  });
});

test("every poll makes a new link of one hour", { tags: ["K6"] }, async () => {
  let now = new Date();
  const { service, run } = await start({ now: () => now });
  run();
  const { id } = await submitted(service);
  const first = await poll(service, id, isOver);
  const made = now.getTime();
  // links end on a whole second
  const end = Math.floor(made / 1000) * 1000 + HOUR;
  const [file] = first.files ?? [];
  expect(file?.expires).toBe(new Date(end).toISOString());
  expect(new URL(file?.url ?? "").searchParams.get("expires")).toBe(String(end / 1000));
  const path = (job: Job): string => (job.files?.[0]?.url ?? "").replace("http://service.test", "");
  now = new Date(end - 1);
  expect((await service.request(path(first))).status).toBe(200);
  now = new Date(end);
  expect((await service.request(path(first))).status).toBe(404);
  now = new Date(made + 2 * HOUR);
  const second = await poll(service, id, isOver);
  expect(second.files?.[0]?.expires).toBe(new Date(end + 2 * HOUR).toISOString());
  expect((await service.request(path(first))).status).toBe(404);
  expect((await service.request(path(second))).status).toBe(200);
});

test("only the key that made a job sees it", { tags: ["K11"] }, async () => {
  const { service } = await start();
  const { id } = await submitted(service);
  const other = await service.request(`/v1/process/jobs/${id}`, { headers: { "X-API-Key": "other-key" } });
  expect(other.status).toBe(404);
  expect(await other.json()).toMatchObject({ code: "not-found" });
  expect((await service.request(`/v1/process/jobs/${id}`)).status).toBe(401);
  expect((await service.get("/v1/process/jobs/nothing")).status).toBe(404);
});

test("a request that is bad makes no job", { tags: ["K2"] }, async () => {
  const queue = memoryQueue(() => Date.now());
  const { service } = await start({ jobs: queue });
  expect((await service.post("/v1/process/jobs", { ...BODY, bands: ["B99"] })).status).toBe(422);
  expect(await queue.claim("w", 1000)).toBeUndefined();
});

test("progress is shown while a job runs, at most four run at once, and the others wait", {
  tags: ["K4", "K9"],
}, async () => {
  const { renderer } = await sandboxServices();
  const gate = held(renderer);
  const { service, run } = await start({ renderer: gate.renderer });
  // one after the other: they are begun in the order in which they came
  const jobs: Awaited<ReturnType<typeof submitted>>[] = [];
  for (let i = 0; i < 6; i++) jobs.push(await submitted(service));
  run();
  const [first] = jobs;
  const shown = await poll(service, first?.id ?? "", ({ progress }) => progress > 0);
  expect(shown).toMatchObject({ status: "running", progress: 0.25 });
  await expect.poll(() => gate.running()).toBe(4);
  const polled = await Promise.all(jobs.map(({ id }) => poll(service, id, () => true)));
  // what is wrong with one that has failed
  const states = polled.map(({ status, error }) => error?.detail ?? status);
  expect(states).toEqual(["running", "running", "running", "running", "queued", "queued"]);
  gate.release();
  for (const { id } of jobs) expect((await poll(service, id, isOver)).status).toBe("done");
});

test("the 21st unfinished job of a key is refused with a time to come back", { tags: ["K10"] }, async () => {
  const { service } = await start();
  for (let i = 0; i < 20; i++) await submitted(service);
  const response = await service.post("/v1/process/jobs", BODY);
  expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "30"]);
  expect(await response.json()).toMatchObject({ code: "concurrency-limit", retryAfter: 30 });
});

test("a job that takes too long fails with render-timeout and deletes its file", { tags: ["K8"] }, async () => {
  const { renderer } = await sandboxServices();
  const gate = held(renderer);
  const { service, run } = await start({ renderer: gate.renderer });
  const jobMs = 300_001;
  const { time } = holdTimers({ time: jobMs });
  run({ jobMs });
  const { id } = await submitted(service);
  await expect.poll(() => gate.running()).toBe(1);
  time.pass();
  const job = await poll(service, id, isOver);
  expect(job).toMatchObject({
    status: "failed",
    error: {
      type: "http://service.test/problems/render-timeout",
      title: "Rendering took too long",
      status: 504,
      code: "render-timeout",
    },
  });
  expect(await readdir(join(folder, "results"))).toEqual(["spool"]);
});

test.each([
  {
    name: "a known failure",
    error: new ProblemError("upstream-unavailable", "Gone fishing."),
    code: "upstream-unavailable",
    detail: "Gone fishing.",
  },
  {
    name: "an unexpected one",
    error: new Error("secret inside"),
    code: "internal",
    detail: "The service failed unexpectedly.",
  },
])(
  "a job that fails by $name carries the problem with its title",
  { tags: ["K7"] },
  async ({ error, code, detail }) => {
    const { renderer } = await sandboxServices();
    const { service, run } = await start({ renderer: { ...renderer, extract: () => Promise.reject(error) } });
    run();
    const job = await poll(service, (await submitted(service)).id, isOver);
    expect(job.error).toMatchObject({ code, detail });
    expect(job.error?.title).toBeTypeOf("string");
    expect(job.links).toHaveLength(1);
  },
);

/** A renderer whose first extractions fail. */
async function failing(times: number, error: Error): Promise<{ renderer: Renderer; tries: () => number }> {
  const { renderer } = await sandboxServices();
  let tries = 0;
  const extract: Renderer["extract"] = (...order) =>
    tries++ < times ? Promise.reject(error) : renderer.extract(...order);
  return { renderer: { ...renderer, extract }, tries: () => tries };
}

test.each([
  { name: "twice is carried out at the third try", times: 2, status: "done", tries: 3 },
  { name: "at every try fails in the end", times: 9, status: "failed", tries: 4 },
])("a job that meets a passing fault $name", async ({ times, status, tries }) => {
  const away = await failing(times, new ProblemError("upstream-unavailable", "Away.", { retryAfter: 5 }));
  const { service, run } = await start({ renderer: away.renderer });
  run({ retryMs: [5, 10, 15] });
  expect((await poll(service, (await submitted(service)).id, isOver)).status).toBe(status);
  expect(away.tries()).toBe(tries);
});

test("a full disk fails a job at once", async () => {
  const full = await failing(9, new ProblemError("upstream-unavailable", "No space.", { retryAfter: 60 }));
  const { service, run } = await start({ renderer: full.renderer });
  run({ retryMs: [5, 10, 15] });
  const job = await poll(service, (await submitted(service)).id, isOver);
  expect([job.status, job.error?.detail, full.tries()]).toEqual(["failed", "No space.", 1]);
});

test("a service that stops while a job waits for its next try hands it back", async () => {
  const away = await failing(1, new ProblemError("upstream-unavailable", "Away.", { retryAfter: 5 }));
  const { service, run } = await start({ renderer: away.renderer });
  const stop = run({ retryMs: [60_000] });
  const { id } = await submitted(service);
  await poll(service, id, () => away.tries() === 1);
  await stop();
  expect((await poll(service, id, () => true)).status).toBe("queued");
});

test("a service that stops hands its jobs back, and the next one carries them out", { tags: ["K13"] }, async () => {
  const { renderer } = await sandboxServices();
  const gate = held(renderer);
  const first = await start({ renderer: gate.renderer });
  const stop = first.run();
  const { id } = await submitted(first.service);
  await poll(first.service, id, ({ status }) => status === "running");
  await stop();
  expect((await poll(first.service, id, () => true)).status).toBe("queued");
  expect(await readdir(join(folder, "results"))).toEqual(["spool"]);
  const next = await start({ jobs: first.parts.jobs });
  next.run();
  expect((await poll(next.service, id, isOver)).status).toBe("done");
});

test("a finished job and its file outlive a restart of the service", async () => {
  const open = async () => {
    const store = await openStore({ dataDir: folder });
    return {
      store,
      jobs: storedJobs(store),
      resultLinks: linkSigner(await secretFile(folder, "results-secret"), "/v1/results"),
    };
  };
  const before = await open();
  const first = await start(before);
  const stop = first.run();
  const { id } = await submitted(first.service);
  const done = await poll(first.service, id, isOver);
  await stop();
  await before.store.close();
  const after = await open();
  const { service } = await start(after);
  const again = await poll(service, id, () => true);
  expect(again).toMatchObject({ status: "done", items_used: done.items_used });
  for (const job of [done, again]) {
    const path = (job.files?.[0]?.url ?? "").replace("http://service.test", "");
    expect((await service.request(path)).status).toBe(200);
  }
  await after.store.close();
});

test("a worker that lost its lease stops, and what it made is thrown away", async () => {
  const { renderer } = await sandboxServices();
  const gate = held(renderer);
  // its clock stands still: no lease runs out, so nobody else carries the job out
  const time = Date.now();
  const queue = memoryQueue(() => time);
  const lost: JobQueue = {
    ...queue,
    renew: async (...lease) => gate.running() === 0 && gate.ended() === 0 && queue.renew(...lease),
  };
  const { service, run } = await start({ renderer: gate.renderer, jobs: lost });
  run({ leaseMs: 60 });
  const { id } = await submitted(service);
  await poll(service, id, ({ status }) => status === "running");
  await expect.poll(() => [gate.running(), gate.ended()]).toEqual([0, 1]);
  await Promise.all(stops.splice(0).map((stop) => stop()));
  expect(await readdir(join(folder, "results"))).toEqual(["spool"]);
});

test("after a day a job is gone, and its file with it", { tags: ["K12"] }, async () => {
  const queue = memoryQueue(() => NOW.getTime());
  let now = NOW;
  const { service, parts, run } = await start({ jobs: queue, now: () => now });
  run();
  const { id } = await submitted(service);
  await poll(service, id, isOver);
  now = new Date(NOW.getTime() + 24 * HOUR + 1);
  expect((await service.get(`/v1/process/jobs/${id}`)).status).toBe(404);
  const far = new Date(Date.now() + 25 * HOUR);
  await removeExpired({ ...parts, now: () => far });
  expect(await readdir(join(folder, "results"))).toEqual(["spool"]);
  expect(await queue.find(id, "anyone")).toBeUndefined();
});
