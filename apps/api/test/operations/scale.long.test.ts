import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { syntheticItems } from "@swath/sandbox";
import { beforeAll, expect, test } from "vitest";
import { isNightly, searches } from "../../../../test/tools/searches.ts";
import { idsOf, json, lightService, linkOf, type Page, path, problemOf } from "../tools/answers.ts";
import { KEY, type TestService } from "../tools/harness.ts";

const COUNT = 12_000;
/** For what hangs. */
const LONG = 1_200_000;
/** Processor time of a page of 1,000, in times of reading and writing its JSON. */
const MAX_COST = 50;

let service: TestService;
let expected: readonly string[];
beforeAll(async () => {
  const light = await lightService(COUNT, { check: false });
  service = light.service;
  expected = light.items.map((item) => item.id).sort();
}, LONG);

/** Ids in the order in which following `next` from a first page gives them. */
async function walk(first: () => Promise<Page>, next: (page: Page) => Promise<Page> | undefined) {
  const ids: string[] = [];
  let page: Page | undefined = await first();
  while (page !== undefined) {
    ids.push(...idsOf(page));
    page = await next(page);
  }
  return ids;
}

function byGet(query: string): Promise<string[]> {
  const get = (address: string): Promise<Page> => json(service.get(address));
  return walk(
    () => get(`/v1/search?fields=id&${query}`),
    (page) => {
      const href = linkOf(page, "next")?.href;
      return href === undefined ? undefined : get(path(href));
    },
  );
}

function byPost(body: object): Promise<string[]> {
  const post = (token: object): Promise<Page> =>
    json(service.post("/v1/search", { fields: { include: ["id"] }, ...body, ...token }));
  return walk(
    () => post({}),
    (page) => {
      const link = linkOf(page, "next");
      return link?.body === undefined ? undefined : post(link.body);
    },
  );
}

const ORDERS = [
  { get: "-datetime", post: [{ field: "datetime", direction: "desc" }] },
  { get: "%2Beo:cloud_cover", post: [{ field: "eo:cloud_cover", direction: "asc" }] },
  {
    get: "-platform,%2Bs2:mgrs_tile,-datetime",
    post: [
      { field: "platform", direction: "desc" },
      { field: "s2:mgrs_tile", direction: "asc" },
      { field: "datetime", direction: "desc" },
    ],
  },
];

test.each(ORDERS)(
  "pages of 1,000 in the order $get give every item once, by GET and by POST",
  { tags: ["S28"], timeout: LONG },
  async ({ get, post }) => {
    const ids = await byGet(`limit=1000&sortby=${get}`);
    expect([...ids].sort()).toEqual(expected);
    expect(await byPost({ limit: 1000, sortby: post })).toEqual(ids);
  },
);

/** For small pages a part of ten years, or all: one year, and its first quarter for pages of one. */
const [YEARS, QUARTER] = ["2016-12", "2016-03"].map(
  (month) => `2016-01-01T00:00:00Z/${isNightly ? "2026-12" : month}-31T00:00:00Z`,
);
/** Items that small pages give at least: at night all that are served. */
const least = (few: number): number => searches(few, expected.length);
/** Walks through all pages: what is kept from one to the next would show. */
const WALKS = searches(2, 3);

test("pages of seven give every item once, by GET and by POST", { tags: ["S28"], timeout: LONG }, async () => {
  const whole = await byGet(`limit=1000&datetime=${YEARS}`);
  expect(whole.length).toBeGreaterThanOrEqual(least(1000));
  expect(await byGet(`limit=7&datetime=${YEARS}`)).toEqual(whole);
  expect(await byPost({ limit: 7, datetime: YEARS })).toEqual(whole);
});

test("pages of one give every item once, by GET and by POST", { tags: ["S28"], timeout: LONG }, async () => {
  const sortby = [{ field: "eo:cloud_cover", direction: "asc" }];
  const whole = await byGet(`limit=1000&sortby=%2Beo:cloud_cover&datetime=${QUARTER}`);
  expect(whole.length).toBeGreaterThanOrEqual(least(200));
  expect(await byGet(`limit=1&sortby=%2Beo:cloud_cover&datetime=${QUARTER}`)).toEqual(whole);
  expect(await byPost({ limit: 1, sortby, datetime: QUARTER })).toEqual(whole);
});

test("a page size that changes on the way loses nothing, an order that changes is refused", {
  tags: ["S31"],
}, async () => {
  const whole = await byGet("limit=1000");
  const ids: string[] = [];
  let token = "";
  for (let i = 0; ids.length < 4000; i++) {
    const page: Page = await json(service.get(`/v1/search?fields=id&limit=${[1, 7, 1000, 13][i % 4]}${token}`));
    ids.push(...idsOf(page));
    token = `&token=${new URL(linkOf(page, "next")?.href ?? "").searchParams.get("token")}`;
  }
  expect(ids).toEqual(whole.slice(0, ids.length));
  const problem = await problemOf(await service.get(`/v1/search?limit=7&sortby=%2Bid${token}`));
  expect(problem).toMatchObject({ status: 400, errors: [{ pointer: "token" }] });
});

test("the number of matches is given below 10,000 and not from there on", { tags: ["N2"] }, async () => {
  const all: Page = await json(service.get("/v1/search?limit=1"));
  expect(expected.length).toBeGreaterThanOrEqual(10_000);
  expect(all.numberMatched).toBeUndefined();
  const some: Page = await json(service.get("/v1/search?limit=1&collections=landsat-ot-l2"));
  expect(some.numberMatched).toBe(expected.filter((id) => id.startsWith("LC")).length);
});

test(`over HTTP a page of 1,000 takes less than ${MAX_COST} times the processor time of its JSON, and the server stays under 300 MB`, {
  tags: ["N7"],
  timeout: LONG,
}, async () => {
  const archive = mkdtempSync(join(tmpdir(), "swath-scale-"));
  mkdirSync(join(archive, "items"));
  const texts = syntheticItems(COUNT).map((item) => JSON.stringify(item));
  writeFileSync(join(archive, "items", "light.ndjson"), texts.join("\n"));
  const child = spawn(
    process.execPath,
    // as the service is started by scripts/run.mjs
    [
      "--conditions=@swath/source",
      "--max-semi-space-size=4",
      "--initial-old-space-size=64",
      fileURLToPath(new URL("./scale-server.ts", import.meta.url)),
      archive,
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  try {
    const base = `http://127.0.0.1:${(await lines.next()).value}`;
    let next: string | undefined = `${base}/v1/search?limit=1000`;
    let count = 0;
    let pages = 0;
    for (; pages < 12 * WALKS && next !== undefined; pages++) {
      const response: Response = await fetch(next, { headers: { "X-API-Key": KEY } });
      const page = (await response.json()) as Page;
      count += page.features.length;
      next = linkOf(page, "next")?.href ?? `${base}/v1/search?limit=1000&sortby=%2Beo:cloud_cover`;
    }
    expect(count).toBeGreaterThan((WALKS - 1) * expected.length);
    child.stdin.end();
    const told = async (): Promise<number> => Number((await lines.next()).value);
    const megabytes = await told();
    const cost = (await told()) / pages;
    const json = await told();
    console.info(`page of 1,000: ${cost.toFixed(1)} ms of CPU, its JSON ${json.toFixed(1)} ms; peak ${megabytes} MB`);
    expect(cost).toBeLessThan(MAX_COST * json);
    expect(megabytes).toBeLessThan(300);
  } finally {
    child.kill();
    rmSync(archive, { recursive: true });
  }
});
