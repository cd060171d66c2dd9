import { createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import type { Renderer } from "@swath/engine/node";
import { inlineRenderer, RenderPool } from "@swath/engine/node";
import { Problem } from "@swath/problem";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import { S2 } from "../process/process-cases.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { type GoodAnswer, isFile, proxyUpstream, sendAnswer, type UpstreamProxy } from "../tools/upstream-proxy.ts";

/** A request to a service. */
interface Asked {
  readonly path: string;
  readonly body?: object;
}

const JULY = "datetime=2024-07-04T10:07:40Z/2024-07-04T10:08:00Z";
const tile = (preset: string, place: string, format = "png"): Asked => ({
  path: `/v1/tiles/${preset}/WebMercatorQuad/${place}.${format}?${JULY}`,
});
const extraction = (bands: string[], bbox: number[], output: object): Asked => ({
  path: "/v1/process",
  body: {
    input: { bounds: { bbox }, data: [{ type: "sentinel-2-l2a", dataFilter: { ids: [S2.july] } }] },
    bands,
    output,
  },
});
const SCENE = `/v1/collections/sentinel-2-l2a/items/${S2.july}`;
const AREA = [12.6, 45.2, 12.9, 45.4];
const ASKED: readonly Asked[] = [
  ...["9/275/182", "10/550/365", "11/1101/730", "11/1100/730", "12/2203/1461"].map((at) => tile("true-color", at)),
  ...["10/550/365", "11/1101/730", "12/2202/1460"].map((at) => tile("ndvi", at)),
  tile("false-color", "11/1101/731", "jpg"),
  { path: `${SCENE}/preview.png?max_size=256` },
  { path: `${SCENE}/preview.webp?max_size=512` },
  extraction(["B04", "B08"], AREA, { width: 100, height: 50 }),
  extraction(["B02", "B03", "B04"], [12.7, 45.3, 13.4, 45.8], { width: 600, height: 500 }),
  { path: `/v1/timeseries?lon=12.9&lat=45.5&datetime=2024-07-01/2024-07-31&collections=sentinel-2-l2a&index=ndvi` },
];

let proxy: UpstreamProxy;
let truth: readonly Buffer[];

beforeAll(async () => {
  proxy = await proxyUpstream(inject("sandbox"));
  const service = await serviceFor(rendererFor(0));
  const good: Buffer[] = [];
  for (const each of ASKED) {
    const response = await ask(service, each);
    const body = await bodyOf(response);
    expect([each.path, response.status, response.headers.has("X-Scenes-Skipped")], body.toString("latin1")).toEqual([
      each.path,
      200,
      false,
    ]);
    good.push(body);
  }
  truth = good;
}, 120_000);
afterAll(() => proxy.close());
afterEach(() => {
  proxy.fault = undefined;
});

/** Reads in this thread, or in two that share blocks. */
function rendererFor(threads: 0 | 2): Renderer {
  const sources = { upstreamUrl: proxy.url, assetHosts: [], s3: { region: "us-west-2" }, verifyPlainHttp: true };
  const render = { blockCacheBytes: 64 * 1_048_576, sources };
  return threads === 0 ? inlineRenderer(render) : new RenderPool({ threads, settings: { render } });
}

/** A service with caches of headers, images and values that are all empty. */
function serviceFor(renderer: Renderer): Promise<TestService> {
  const { url } = proxy;
  const catalog = createUpstreamCatalog({ url, registry: FULL.registry.withUpstreams(["default"]) });
  const parts = {
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    tileCacheBytes: 50_000_000,
    renderer,
  };
  return testService(parts, { profile: FULL });
}

const ask = (service: TestService, { path, body }: Asked): Promise<Response> =>
  body === undefined ? service.get(path) : service.post(path, body);

async function bodyOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

/** Numbers from a generator (mulberry32): the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Changes an answer for bytes of a file that start at `start`. */
type Alter = (body: Buffer, start: number, random: (below: number) => number) => void;

/** Where the headers of the files end, at most. */
const HEADERS = 20_000;

/** One bit behind the first 20,000 bytes of the file, another one in each answer. */
const ONE_BIT: Alter = (body, start, random) => {
  const first = Math.max(0, HEADERS - start);
  if (first < body.length) body[first + random(body.length - first)]! ^= 1 << random(8);
};
/** The same bytes of the file in each answer. */
const SAME_BYTES: Alter = (body, start) => {
  for (let at = 0; at < body.length; at++) {
    const place = start + at;
    if (place >= HEADERS && place % 9_973 === 0) body[at]! ^= 0x20;
  }
};
/** One bit anywhere, in the header too, in every second answer. */
const ANYWHERE: Alter = (body, _, random) => {
  if (random(2) === 0) body[random(body.length)]! ^= 1 << random(8);
};

function altering(alter: Alter, seed: number): (answer: GoodAnswer) => GoodAnswer {
  const random = numbers(seed);
  return (answer) => {
    const start = Number(/^bytes (\d+)-/.exec(answer.headers["content-range"] ?? "")?.[1] ?? 0);
    const body = Buffer.from(answer.body);
    alter(body, start, random);
    return { ...answer, body };
  };
}

/** Services that are started one after the other, each asked everything twice while bytes are altered, and once after it. */
const ROUNDS = searches(3, 30);

describe.each([
  { name: "one bit behind the headers in every answer", alter: ONE_BIT, threads: 0 },
  { name: "the same bytes behind the headers in every answer", alter: SAME_BYTES, threads: 0 },
  { name: "one bit anywhere in every second answer", alter: ANYWHERE, threads: 0 },
  { name: "one bit anywhere in every second answer, which threads share,", alter: ANYWHERE, threads: 2 },
] as const)("a file server that changes $name", ({ alter, threads }) => {
  test("is not believed: no image, file or value is wrong, then or later", {
    tags: ["E5"],
    timeout: 600_000,
  }, async () => {
    const counts = { right: 0, refused: 0, "without a scene": 0, after: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const renderer = rendererFor(threads);
      const service = await serviceFor(renderer);
      const altered = altering(alter, round + 1);
      proxy.fault = (answer, response) => sendAnswer(isFile(answer.path) ? altered(answer) : answer, response);
      for (const each of [...ASKED, ...ASKED]) counts[await judge(each, await ask(service, each))] += 1;
      proxy.fault = undefined;
      for (const each of ASKED) {
        const response = await ask(service, each);
        expect([each.path, response.status, response.headers.get("X-Scenes-Skipped")]).toEqual([each.path, 200, null]);
        expect(isTrue(each, await bodyOf(response)), each.path).toBe(true);
        counts.after += 1;
      }
      await renderer.close();
    }
    console.info(JSON.stringify(counts));
    // the fault has reached the service
    expect(counts.refused + counts["without a scene"]).toBeGreaterThan(ROUNDS);
    expect(counts.after).toBe(ROUNDS * ASKED.length);
  });
});

const isTrue = (asked: Asked, body: Buffer): boolean => truth[ASKED.indexOf(asked)]!.equals(body);

/**
 * Judges the outcome of a request while bytes are altered: the right bytes, or an answer that says what it lacks and is
 * kept nowhere.
 */
async function judge(asked: Asked, response: Response): Promise<"right" | "refused" | "without a scene"> {
  const body = await bodyOf(response);
  if (response.status === 200 && isTrue(asked, body)) return "right";
  expect([asked.path, response.headers.get("Cache-Control")]).toEqual([asked.path, "no-store"]);
  if (response.status !== 200) {
    expect(Problem.parse(JSON.parse(body.toString()))).toMatchObject({ status: 503, code: "upstream-unavailable" });
    return "refused";
  }
  expect(response.headers.get("X-Scenes-Skipped"), `${asked.path} is wrong and says nothing`).toMatch(/S2/);
  return "without a scene";
}
