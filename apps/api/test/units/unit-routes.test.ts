import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownerIdentity, payerOf, toUnits } from "@swath/accounts";
import type { Store } from "@swath/store";
import { startJobRunner, storedJobs } from "@swath/store/jobs";
import { openResultFolder } from "@swath/store/node";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { accountIdentity, guestIdentity } from "../../../../test/tools/unit-nodes.ts";
import type { Services } from "../../src/operations/services.ts";
import { runnerParts } from "../../src/service/job-kinds.ts";
import { profileFor } from "../accounts/account-access.ts";
import { accountsOn, type TestAccounts } from "../accounts/accounts-on.ts";
import { S2 } from "../process/process-cases.ts";
import { memoryStore, sandboxServices, type TestService, testService } from "../tools/harness.ts";

const JULY = "datetime=2024-07-01/2024-07-31";
const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/274/182";
const EMPTY = "/v1/tiles/true-color/WebMercatorQuad/9/100/100";
const HOLDERS = {
  free: accountIdentity("ann", "free", "key-1"),
  session: { ...accountIdentity("ann", "free", "session"), credential: "bearer", scopes: ["data", "account"] },
  pro: accountIdentity("pia", "pro", "key-2"),
  owner: ownerIdentity("mine"),
  guest: guestIdentity("token-1"),
} as const;
const PROFILE = profileFor(HOLDERS);
const BODY = {
  input: {
    bounds: { bbox: [12.6, 45.2, 12.9, 45.4] },
    data: [{ type: "sentinel-2-l2a", dataFilter: { ids: [S2.july] } }],
  },
  bands: ["B04", "B08"],
  output: { width: 64, height: 32, crs: "EPSG:4326" },
};

interface Usage {
  readonly units: { readonly spent: number };
  readonly [member: string]: unknown;
}

let folder: string;
let store: Store;
let units: TestAccounts["units"];
let parts: Services;
let service: TestService;
/** Units that the answers of this test say they cost, by key. */
let told: Record<string, number>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-units-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach(async () => {
  store = await memoryStore();
  const now = (): number => Date.parse("2026-06-16T12:00:05Z");
  const accounts = accountsOn(store, { now });
  units = accounts.units;
  told = {};
  parts = await sandboxServices({
    registry: PROFILE.registry,
    units,
    now: () => new Date(now()),
    addressLimits: accounts.addressLimits,
    jobs: storedJobs(store, { now, charges: accounts.charges }),
    results: openResultFolder(join(folder, "results")),
    tileCacheBytes: 16 * 1_048_576,
    keyPrefixOf: async (id) => (id === "key-1" ? "swath_ab" : undefined),
    log: pino({ level: "silent" }),
  });
  service = await testService(parts, { profile: PROFILE });
  return async () => {
    await accounts.close();
    await store.close();
  };
});

type Key = keyof typeof HOLDERS;

async function ask(key: Key | undefined, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...(key === undefined ? {} : { "X-API-Key": key }), ...init.headers };
  const response = await service.request(path, { ...init, headers });
  const spent = response.headers.get("X-Units-Spent");
  if (key !== undefined && spent !== null) told[key] = (told[key] ?? 0) + Number(spent);
  return response;
}

const post = (key: Key, path: string, body: unknown): Promise<Response> =>
  ask(key, path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });

async function usage(key: Key, query = ""): Promise<Usage> {
  const response = await ask(key, `/v1/usage${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as Usage;
}

test("each route costs what its plan says, and the usage grows by what the answers say", {
  tags: ["UN1"],
}, async () => {
  const costs: [number, number | undefined][] = [];
  const cost = async (response: Response, expected: number | undefined, status = 200): Promise<Response> => {
    expect(response.status, await response.clone().text()).toBe(status);
    const spent = response.headers.get("X-Units-Spent");
    costs.push([spent === null ? Number.NaN : Number(spent), expected]);
    return response;
  };
  await cost(await ask("free", "/v1/search?limit=1"), 0.01);
  await cost(await post("free", "/v1/search", { limit: 1 }), 0.01);
  await cost(await ask("free", "/v1/collections/sentinel-2-l2a/items?limit=1"), 0.01);
  // visual is an image of three bands, an index reads two
  const tile = await cost(await ask("free", `${TILE}.png?${JULY}`), 0.25);
  await cost(await ask("free", `/v1/tiles/ndvi/WebMercatorQuad/9/274/182.png?${JULY}`), 0.1667);
  // the finished image, a 304, and no scene at all
  await cost(await ask("free", `${TILE}.png?${JULY}`), 0);
  const etag = tile.headers.get("ETag") ?? "";
  const unchanged = await ask("free", `${TILE}.png?${JULY}`, { headers: { "If-None-Match": etag } });
  // a cache puts it in place of what it keeps: 0, not what the image cost once
  expect([unchanged.status, unchanged.headers.get("X-Units-Spent")]).toEqual([304, "0"]);
  expect(unchanged.headers.get("RateLimit")).toContain("requests-minute");
  await cost(await ask("free", `${EMPTY}.png?${JULY}`), 0);
  // a square scene at its own grid, once more from the cache, and smaller
  const preview = `/v1/collections/sentinel-2-l2a/items/${S2.july}/preview.png`;
  await cost(await ask("free", preview), 1);
  await cost(await ask("free", preview), 0);
  await cost(await ask("free", `${preview}?max_size=64`), 0.0157);
  // two bands of 32 bits; of 16 bits and a mask, which is free
  await cost(await post("free", "/v1/process", BODY), 0.0105);
  const dn = { ...BODY.input.data[0], processing: { units: "DN" } };
  const integers = {
    input: { ...BODY.input, data: [dn] },
    bands: ["B04", "SCL", "mask"],
    output: { ...BODY.output, width: 512, height: 512 },
  };
  await cost(await post("free", "/v1/process", integers), 0.3334);
  expect(costs.map(([found]) => found)).toEqual(costs.map(([, expected]) => expected));
  expect((await usage("free")).units.spent).toBeCloseTo(told.free ?? 0, 9);
});

test("a series is paid for once: to who has it already it is 304, and costs nothing", { tags: ["UN1"] }, async () => {
  const path = `/v1/timeseries?lon=12.7&lat=45.3&${JULY}&collections=sentinel-2-l2a&index=ndvi`;
  const made = await ask("free", path);
  expect(Number(made.headers.get("X-Units-Spent"))).toBeGreaterThan(0);
  const { spent } = (await usage("free")).units;
  const kept = await ask("free", path, { headers: { "If-None-Match": made.headers.get("ETag") ?? "" } });
  expect([kept.status, kept.headers.get("X-Units-Spent")]).toEqual([304, "0"]);
  expect((await usage("free")).units.spent).toBe(spent);
});

test("a mosaic costs the same however many dates and sources it is of", { tags: ["UN1"] }, async () => {
  const costOf = async (type: string, from: string): Promise<number> => {
    const dataFilter = { timeRange: { from, to: "2024-07-31T23:59:59Z" } };
    const input = { ...BODY.input, data: [{ type, dataFilter }] };
    const answer = await post("free", "/v1/process", { ...BODY, input });
    expect(answer.status, await answer.clone().text()).toBe(200);
    return Number(answer.headers.get("X-Units-Spent"));
  };
  expect(await costOf("sentinel-2-l2a", "2024-07-01T00:00:00Z")).toBe(0.0105);
  expect(await costOf("sentinel-2-l2a", "2023-08-01T00:00:00Z")).toBe(0.0105);
  for (const days of ["2024-07-01/2024-07-31", "2020-01-01/2024-07-31"]) {
    expect((await ask("free", `${TILE}.png?datetime=${days}`)).headers.get("X-Units-Spent")).toBe("0.25");
  }
});

test("what is refused or fails costs nothing", { tags: ["UN2"] }, async () => {
  const before = (await usage("free")).units.spent;
  expect((await ask("free", "/v1/search?limit=none")).status).toBe(400);
  expect((await ask("free", "/v1/tiles/true-color/WebMercatorQuad/30/1/1.png")).status).toBe(400);
  expect((await post("free", "/v1/process", { ...BODY, bands: ["B99"] })).status).toBe(422);
  expect((await ask("free", "/v1/collections/none/items")).status).toBe(404);
  expect((await usage("free")).units.spent).toBe(before);
  expect(told.free ?? 0).toBe(0);
});

test("an answer that is over the account's limits says which, with the headers of a metered answer", {
  tags: ["UN3"],
}, async () => {
  const large = { ...BODY, output: { width: 2500, height: 2500, crs: "EPSG:4326" } };
  const first = await post("free", "/v1/process", {
    ...large,
    bands: ["B02", "B03", "B04", "B08", "B11", "B12", "B05"],
  });
  expect(first.status).toBe(422);
  expect(await first.json()).toMatchObject({
    code: "request-too-expensive",
    limits: { maxUnits: 100, requestedUnits: 111.2621 },
    unitsEstimated: 111.2621,
  });
  const held = [
    await units.reservations.reserve(...reservation(100)),
    await units.reservations.reserve(...reservation(100)),
  ];
  const busy = await ask("free", "/v1/search?limit=1");
  expect(busy.status).toBe(429);
  expect(await busy.json()).toMatchObject({
    code: "concurrency-limit",
    limits: { concurrentRequests: 2, runningRequests: 2 },
    "violated-policies": ["concurrent"],
  });
  expect(busy.headers.get("Retry-After")).toBe("1");
  expect(busy.headers.get("X-Units-Spent")).toBe("0");
  expect(busy.headers.get("X-Units-Remaining")).toBe("10000");
  expect(busy.headers.get("RateLimit")).toBe(
    '"units-minute";r=100;t=55, "units-month";r=10000;t=1252795, "requests-minute";r=598;t=55, "concurrent";r=0;t=1',
  );
  expect(busy.headers.get("RateLimit-Policy")).toContain('"concurrent";q=2;qu="concurrent-requests"');
  await Promise.all(held.map((each) => units.reservations.settle(each, 0 as never)));
  expect((await ask("free", "/v1/search?limit=1")).status).toBe(200);
});

function reservation(cost: number) {
  return [payerOf(HOLDERS.free) as never, { route: "test", cost: toUnits(cost) }] as const;
}

test("keys of the owner and guests are told what they spend, anonymous callers nothing", {
  tags: ["UN9"],
}, async () => {
  const owner = await ask("owner", "/v1/search?limit=1");
  expect(owner.headers.get("X-Units-Spent")).toBe("0.01");
  const counted = await ask("owner", "/v1/aggregate?aggregations=total_count");
  expect(counted.headers.get("X-Units-Spent")).toBe("0.01");
  expect(owner.headers.has("X-Units-Remaining")).toBe(false);
  expect(owner.headers.get("RateLimit-Policy")).toBe('"burst";q=50;w=1, "requests-month";q=100000;w=2592000');
  const guest = await ask("guest", `${TILE}.png?${JULY}`);
  expect(guest.headers.get("X-Units-Spent")).toBe("0.25");
  expect(guest.headers.get("X-Units-Remaining")).toBe("99.75");
  expect((await ask("guest", "/v1/usage")).status).toBe(403);
  const anonymous = await ask(undefined, "/v1/search?limit=1");
  expect(anonymous.status).toBe(200);
  expect(anonymous.headers.has("X-Units-Spent")).toBe(false);
  expect((await ask(undefined, "/v1/usage")).status).toBe(401);
});

test("the usage has days, routes and keys, of the month that is asked for", { tags: ["UN13"] }, async () => {
  await ask("free", "/v1/search?limit=1");
  await ask("session", "/v1/search?limit=1");
  await ask("session", `${TILE}.png?${JULY}`);
  expect(await usage("free")).toEqual({
    tier: "free",
    period: { from: "2026-06-01T00:00:00.000Z", to: "2026-07-01T00:00:00.000Z" },
    units: { limit: 10_000, spent: 0.27, remaining: 9999.73, restricted: false, restrictedRemaining: 5000 },
    requests: { total: 4, perMinute: 600 },
    byDay: [{ date: "2026-06-16", units: 0.27, requests: 4 }],
    byRoute: [
      { route: "getSearch", units: 0.02, requests: 2 },
      { route: "getTile", units: 0.25, requests: 1 },
      { route: "getUsage", units: 0, requests: 1 },
    ],
    keys: [
      { id: "key-1", prefix: "swath_ab", units: 0.01, requests: 2 },
      { id: "session", prefix: null, units: 0.26, requests: 2 },
    ],
    links: [{ rel: "self", href: "http://service.test/v1/usage", type: "application/json", title: "This usage" }],
  });
  expect(await usage("session", "?month=2026-05")).toMatchObject({
    period: { from: "2026-05-01T00:00:00.000Z", to: "2026-06-01T00:00:00.000Z" },
    units: { spent: 0, remaining: 10_000 },
    byDay: [],
    links: [{ href: "http://service.test/v1/usage?month=2026-05" }],
  });
  expect(await usage("pro")).toMatchObject({ tier: "pro", units: { limit: 200_000, spent: 0 } });
  expect(await usage("owner")).toMatchObject({
    tier: "owner",
    units: { limit: null, spent: 0, remaining: null, restricted: false, restrictedRemaining: null },
    requests: { total: 1, perMinute: null },
  });
  for (const month of ["2026-13", "2026", "2026-6", "x", "0000-01", "0099-12", "9999-12"]) {
    expect((await ask("free", `/v1/usage?month=${month}`)).status, month).toBe(400);
  }
});

test("a background job is reserved when it is accepted, and charged when it is done", { tags: ["UN12"] }, async () => {
  const accepted = await post("free", "/v1/process/jobs", BODY);
  expect(accepted.status).toBe(202);
  expect(accepted.headers.get("X-Units-Spent")).toBe("0");
  const { id, units: estimated } = (await accepted.json()) as { id: string; units: number };
  expect(estimated).toBe(0.0105);
  expect((await usage("free")).units.spent).toBe(0);
  const [row] = await store.query("select units from unit_reservation where id = $1", [id]);
  expect(row).toEqual({ units: 105 });
  // what is reserved cannot be spent twice
  expect((await ask("free", "/v1/search?limit=1")).headers.get("RateLimit")).toContain('"units-minute";r=299;t=55');

  const runner = startJobRunner(runnerParts(parts), { pollMs: 10 });
  try {
    await expect
      .poll(async () => ((await (await ask("free", `/v1/process/jobs/${id}`)).json()) as { status: string }).status)
      .toBe("done");
  } finally {
    await runner.stop();
  }
  const done = await ask("free", `/v1/process/jobs/${id}`);
  expect(done.headers.get("X-Units-Spent")).toBe("0");
  expect(await done.json()).toMatchObject({ status: "done", units: 0.0105 });
  expect(await store.query("select id from unit_reservation")).toEqual([]);
  expect(await usage("free")).toMatchObject({ units: { spent: 0.0205 } });
  expect(await usage("free")).toMatchObject({
    byRoute: expect.arrayContaining([expect.objectContaining({ route: "createProcessJob", units: 0.0105 })]),
  });
  const next = await ask("free", "/v1/search?limit=1");
  expect(next.headers.get("X-Units-Remaining")).toBe("9999.9695");
});

test("a background job that fails, and one that is not accepted, cost nothing", { tags: ["UN12"] }, async () => {
  const accepted = await post("free", "/v1/process/jobs", BODY);
  const { id } = (await accepted.json()) as { id: string };
  const broken = { ...parts, renderer: { ...parts.renderer, extract: () => Promise.reject(new Error("a fault")) } };
  const runner = startJobRunner(runnerParts(broken), { pollMs: 10 });
  try {
    await expect
      .poll(async () => ((await (await ask("free", `/v1/process/jobs/${id}`)).json()) as { status: string }).status)
      .toBe("failed");
  } finally {
    await runner.stop();
  }
  expect(await (await ask("free", `/v1/process/jobs/${id}`)).json()).toMatchObject({ status: "failed", units: 0 });
  expect((await usage("free")).units.spent).toBe(0);
  expect(await store.query("select id from unit_reservation")).toEqual([]);

  for (let i = 0; i < 20; i++) expect((await post("free", "/v1/process/jobs", BODY)).status).toBe(202);
  expect((await post("free", "/v1/process/jobs", BODY)).status).toBe(429);
  const held = "select count(*) as jobs from unit_reservation where payer = $1";
  for (const payer of ["account:ann", "files:account:ann"]) {
    expect([payer, await store.query(held, [payer])]).toEqual([payer, [{ jobs: 20 }]]);
  }
});

test("a client that closes the connection before its answer is not charged, and the next request finds nothing reserved", {
  tags: ["UN2"],
}, async () => {
  let client = new AbortController();
  const { render } = parts.renderer;
  const renderer = {
    ...parts.renderer,
    render: async (...job: Parameters<typeof render>) => {
      client.abort();
      return render(...job);
    },
  };
  const leaving = await testService({ ...parts, renderer }, { profile: PROFILE, check: false });
  for (let i = 0; i < 5; i++) {
    client = new AbortController();
    const init = { headers: { "X-API-Key": "free" }, signal: client.signal };
    expect((await leaving.request(`${TILE}.webp?${JULY}`, init)).status).toBe(499);
  }
  expect((await usage("free")).units.spent).toBe(0);
  expect((await ask("free", `${TILE}.webp?${JULY}`)).headers.get("X-Units-Remaining")).toBe("9999.75");
});

test("jobs of an account count together, whatever key or session submits them", { tags: ["K10"] }, async () => {
  const statuses = [];
  for (let i = 0; i < 22; i++) {
    statuses.push((await post(i % 2 === 0 ? "free" : "session", "/v1/process/jobs", BODY)).status);
  }
  expect(statuses).toEqual([...new Array(20).fill(202), 429, 429]);
  const refused = await post("session", "/v1/process/jobs", BODY);
  expect(await refused.json()).toMatchObject({
    code: "concurrency-limit",
    detail: "20 jobs of this account are unfinished; an account may have 20.",
    limits: { maxUnfinishedJobs: 20, unfinishedJobs: 20 },
  });
  expect((await post("pro", "/v1/process/jobs", BODY)).status).toBe(202);
  expect((await post("owner", "/v1/process/jobs", BODY)).status).toBe(202);
});

const LARGE = {
  ...BODY,
  input: { ...BODY.input, bounds: { bbox: [12.6, 45.2, 13.4, 45.8] } },
  bands: ["B02", "B03", "B04", "B08"],
  output: { width: 2400, height: 2400, crs: "EPSG:4326", sampleType: "FLOAT32" },
};
const fileBytes = async (): Promise<number> =>
  Number((await store.query("select spent from unit_payer where payer = 'files:account:ann'"))[0]?.spent ?? 0);

test("result files count in the bytes of the account's day: those that are kept, not those that are in the answer", {
  tags: ["K14"],
}, async () => {
  expect((await post("free", "/v1/process", BODY)).status).toBe(200);
  expect(await fileBytes()).toBe(0);
  const linked = await post("session", "/v1/process", LARGE);
  expect(linked.status).toBe(303);
  const head = await service.request(
    new URL(linked.headers.get("Location") ?? "").href.slice("http://service.test".length),
    {
      method: "HEAD",
    },
  );
  const written = Number(head.headers.get("Content-Length"));
  expect(written).toBeGreaterThan(4_194_304);
  expect(await fileBytes()).toBe(written);
  // the owner pays for the disk
  expect((await post("owner", "/v1/process", LARGE)).status).toBe(303);
  expect(await store.query("select payer from unit_payer where payer like 'files:%'")).toEqual([
    { payer: "files:account:ann" },
  ]);
  const { id } = (await (await post("free", "/v1/process/jobs", LARGE)).json()) as { id: string };
  const runner = startJobRunner(runnerParts(parts), { pollMs: 10 });
  try {
    await expect
      .poll(async () => ((await (await ask("free", `/v1/process/jobs/${id}`)).json()) as { status: string }).status)
      .toBe("done");
  } finally {
    await runner.stop();
  }
  expect(await fileBytes()).toBe(2 * written);
  expect(await store.query("select id from unit_reservation")).toEqual([]);
});

test("an account that has written 10 GB of files in a day is told when it may write again, and others go on", {
  tags: ["K14"],
}, async () => {
  await store.query("insert into unit_payer values ('files:account:ann', '2026-06-16', 9999000000, 0, 0, 0)");
  for (const path of ["/v1/process", "/v1/process/jobs"]) {
    const refused = await post("free", path, LARGE);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe(String(12 * 3600 - 5));
    expect(await refused.json()).toMatchObject({
      code: "quota-exhausted",
      limits: { fileBytesPerDay: 10_000_000_000, fileBytesToday: 9_999_000_000 },
    });
  }
  // nothing of its units is kept, and what writes no file goes on
  expect(await store.query("select id from unit_reservation")).toEqual([]);
  const search = await ask("free", "/v1/search?limit=1");
  expect([search.status, search.headers.get("X-Units-Remaining")]).toEqual([200, "9999.99"]);
  expect((await post("pro", "/v1/process", LARGE)).status).toBe(303);
});
