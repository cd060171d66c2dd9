import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Geometry } from "@swath/geometry";
import { Pace } from "@swath/http";
import { createRegistry } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { createUpstreamCatalog, type Item } from "../../src/index.ts";
import { search } from "../catalog-suite.ts";
import { collectionFile, plainFile, plainRegistry, sentinelFile } from "../collection-files.ts";
import { type Document, fixtures } from "../fixtures.ts";
import type { SearchBody } from "./fake-upstream.ts";
import { hlsItems, rawItems } from "./kind-items.ts";
import { type Kind, type KindOptions, kindUpstream } from "./kind-upstream.ts";
import { thereAndBack } from "./there-and-back.ts";
import { upstreamItems } from "./upstream-items.ts";

interface Exchange {
  readonly request: { readonly body: Document };
  readonly response: { readonly status: number; readonly headers: Record<string, string>; readonly body: unknown };
}

function exchange(path: string): Exchange {
  return JSON.parse(readFileSync(join(fixtures ?? "", "live", path), "utf8")) as Exchange;
}

/** The answer as it was recorded. */
function answerOf({ response }: Exchange): Response {
  const { status, headers, body } = response;
  const text = typeof body === "string" ? body : body === null ? null : JSON.stringify(body);
  return new Response(text, { status, headers });
}

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);
const hls = createRegistry([collectionFile("hls")]);
const SENTINEL = search({ collections: ["sentinel-2-l2a"] });
const HLS = search({ collections: ["hls"] });

interface Faulty extends KindOptions {
  /** The recorded answer to a search, `undefined` where it is answered as always. */
  readonly fault?: (body: SearchBody, asked: number) => Exchange | undefined;
  readonly retries?: number;
  readonly pace?: Pace;
}

function over(kind: Kind, items: readonly Document[], { fault, retries = 0, pace, ...options }: Faulty = {}) {
  const upstream = kindUpstream(kind, items, options);
  const bodies: SearchBody[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    if (request.method === "POST") {
      const body = (await request.clone().json()) as SearchBody;
      bodies.push(body);
      const found = fault?.(body, bodies.length);
      if (found !== undefined) return answerOf(found);
    }
    return upstream.fetch(request);
  };
  const isHls = kind === "cmr-stac";
  const catalog = createUpstreamCatalog({
    url: upstream.url,
    fetch,
    retries,
    pace,
    sleep: async () => undefined,
    registry: isHls ? hls : plainRegistry,
    ...(isHls ? { name: "lpcloud" } : {}),
  });
  return { catalog, upstream, bodies };
}

const STAR: Geometry = {
  type: "MultiPolygon",
  coordinates: [
    [
      [
        [9, 39],
        [11, 39],
        [11, 49],
        [9, 39],
      ],
    ],
    [
      [
        [-106, 39],
        [-104, 39],
        [-104, 48],
        [-106, 39],
      ],
    ],
  ],
};

describe.skipIf(fixtures === undefined)("as it was recorded", () => {
  test("an HTML page in answer to an area: its box is asked for in its place, now and from then on, and compared here", async () => {
    const html = exchange("errors/planetary-computer-front-door-html.json");
    const items = rawItems(160);
    const fault = ({ intersects }: SearchBody) => (intersects === undefined ? undefined : html);
    const { catalog, bodies } = over("planetary-computer", items, { fault });
    const truth = over("planetary-computer", items).catalog;
    const asked = { ...SENTINEL, intersects: STAR };
    const first = await catalog.search(asked);
    expect(first).toEqual(await truth.search(asked));
    expect(bodies.filter(({ intersects }) => intersects !== undefined)).toHaveLength(1);
    const [longer, shorter] = [await thereAndBack(truth, [7], asked), await thereAndBack(catalog, [7], asked)];
    expect(shorter).toEqual(longer);
    expect(bodies.filter(({ intersects }) => intersects !== undefined)).toHaveLength(1);
  });

  test("the time limit of an archive, in text: an area is tried by its box, a box is a failure", async () => {
    const slow = exchange("errors/planetary-computer-search-504.json");
    const fault = ({ intersects }: SearchBody) => (intersects === undefined ? undefined : slow);
    const { catalog } = over("planetary-computer", rawItems(60), { fault });
    const found = await catalog.search({ ...SENTINEL, intersects: STAR });
    expect(found).toEqual(
      await over("planetary-computer", rawItems(60)).catalog.search({ ...SENTINEL, intersects: STAR }),
    );
    const all = over("planetary-computer", rawItems(60), { fault: () => slow });
    await expect(all.catalog.search({ ...SENTINEL, bbox: [9, 39, 11, 49] })).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(all.bodies).toHaveLength(1);
  });

  test("a refused box beyond -180: none is sent, whatever is searched near 180 degrees", async () => {
    const refusal = exchange("errors/planetary-computer-search-bbox-below-minus-180.json");
    const [west] = refusal.request.body.bbox as [number];
    expect(west).toBeLessThan(-180);
    for (const refusesAreas of [false, true]) {
      const { catalog, bodies } = over("planetary-computer", rawItems(100), {
        refusesAreas,
        fault: ({ bbox }) => (bbox !== undefined && (bbox[0] < -180 || bbox[2] > 180) ? refusal : undefined),
      });
      for (const bbox of [
        [-180, -18, -179.9, -16],
        [179.95, -18, -179.95, -16],
        [179.9, 39, 180, 49],
      ] as const) {
        const page = await catalog.search({ ...SENTINEL, bbox, limit: 100 });
        const truth = await over("earth-search", rawItems(100)).catalog.search({ ...SENTINEL, bbox, limit: 100 });
        expect(ids(page.items)).toEqual(ids(truth.items));
        expect(page.items.length).toBeGreaterThan(0);
      }
      expect(bodies.length).toBeGreaterThan(0);
    }
  });

  test("a page that fails between pages that do not: all else is given, both ways, and the page says what it lacks", {
    tags: ["N13"],
  }, async () => {
    const broken = exchange("errors/earth-search-page-500.json");
    expect(broken.response.status).toBe(500);
    const items = upstreamItems(120, 4).filter(({ collection }) => collection === "sentinel-2-c1-l2a");
    const whole = ids((await over("earth-search", items).catalog.search({ ...SENTINEL, limit: 1000 })).items);
    for (const at of [0, 1, 30, whole.length - 1]) {
      const failsOn = whole[at] as string;
      for (const limit of [1, 10, 100]) {
        const { catalog } = over("earth-search", items, { failsOn });
        const found: string[] = [];
        const marks: number[] = [];
        let page = await catalog.search({ ...SENTINEL, limit });
        for (;;) {
          found.push(...ids(page.items));
          if (page.unreadable !== undefined) {
            marks.push(page.unreadable);
            expect(page.numberMatched).toBeUndefined();
          }
          if (page.next === undefined) break;
          page = await catalog.search({ ...SENTINEL, limit, token: page.next });
        }
        expect(found, `${at} of ${whole.length}, ${limit} a page`).toEqual(whole.filter((id) => id !== failsOn));
        expect(marks.length, `${at} of ${whole.length}, ${limit} a page`).toBeGreaterThan(0);
        const back: string[] = ids(page.items);
        while (page.prev !== undefined) {
          page = await catalog.search({ ...SENTINEL, limit, token: page.prev });
          back.unshift(...ids(page.items));
        }
        expect(back).toEqual(found);
      }
    }
  });

  test("an archive that fails on everything is asked a bounded number of times, and then once a search", async () => {
    const broken = exchange("errors/earth-search-page-500.json");
    const { catalog, bodies } = over("earth-search", upstreamItems(40), { fault: () => broken });
    await expect(catalog.search({ ...SENTINEL, limit: 1000 })).rejects.toMatchObject({ code: "unavailable" });
    expect(bodies.length).toBeLessThanOrEqual(20);
    bodies.length = 0;
    await expect(catalog.search(SENTINEL)).rejects.toMatchObject({ code: "unavailable" });
    expect(bodies).toHaveLength(1);
  });

  test("500 and 503 of CMR: a search fails as unavailable with no word of the archive's lost, and goes on when it is back", async () => {
    for (const path of ["errors/cmr-stac-500.json", "errors/cmr-stac-503.json"]) {
      const broken = exchange(path);
      let isDown = true;
      const { catalog } = over("cmr-stac", hlsItems(30), { fault: () => (isDown ? broken : undefined) });
      await expect(catalog.search(HLS)).rejects.toMatchObject({ code: "unavailable" });
      isDown = false;
      await expect(catalog.search(HLS).then(({ items }) => items.length)).resolves.toBe(10);
      // one failure among others is tried again
      const once = over("cmr-stac", hlsItems(30), {
        fault: (_, asked) => (asked === 1 ? broken : undefined),
        retries: 1,
      });
      expect((await once.catalog.search(HLS)).items).toHaveLength(10);
    }
  });

  test("429 with Retry-After of CDSE: all searches wait for its end, and none is lost", async () => {
    const tooFast = exchange("errors/cdse-stac-429.json");
    expect(tooFast.response.headers["retry-after"]).toBe("2");
    let time = 1_700_000_000_000;
    const pace = new Pace(
      { perSecond: 5, atOnce: 4 },
      {
        now: () => time,
        sleep: async (milliseconds) => {
          time += milliseconds;
        },
      },
    );
    const times: number[] = [];
    const { catalog } = over("copernicus-dataspace", rawItems(30), {
      pace,
      retries: 1,
      fault: (_, asked) => {
        times.push(time);
        return asked === 1 ? tooFast : undefined;
      },
    });
    const pages = await Promise.all(Array.from({ length: 4 }, () => catalog.search(SENTINEL)));
    expect(pages.every(({ items }) => items.length === 10)).toBe(true);
    // those that were under way when the answer came are not stopped
    const [first = 0] = times;
    expect(times.filter((each) => each > first + 1000).every((each) => each >= first + 2000)).toBe(true);
    expect(times.some((each) => each >= first + 2000)).toBe(true);
  });

  test("a search of CDSE without a match, and one all of whose matches are in the answer: no count, no further page", async () => {
    const file = plainFile(sentinelFile());
    const registry = createRegistry([{ ...file, upstream: { ...file.upstream, collection: "sentinel-2-l2a" } }]);
    for (const [path, count] of [
      ["cdse/search-no-match.json", 0],
      ["cdse/search-sentinel-2-l2a.json", 4],
    ] as const) {
      const recorded = exchange(path);
      const landing = exchange("cdse/landing-page-2026.json");
      let searches = 0;
      const catalog = createUpstreamCatalog({
        url: "https://stac.dataspace.copernicus.eu/v1",
        registry,
        fetch: async (input, init) => {
          if (new Request(input, init).method === "GET") return answerOf(landing);
          searches += 1;
          return answerOf(recorded);
        },
      });
      const page = await catalog.search(SENTINEL);
      expect(page.items).toHaveLength(count);
      expect(page.next).toBeUndefined();
      expect(page.prev).toBeUndefined();
      // all that there is was counted here
      expect(page.numberMatched ?? count).toBe(count);
      expect(searches).toBe(1);
    }
  });
});

describe("what an archive does with searches, it is not asked", () => {
  test("Earth Search ignores CQL2 in silence: it is sent none, and the conditions hold all the same", async () => {
    const items = rawItems(160);
    const { catalog, bodies } = over("earth-search", items);
    const filter = { op: "not", arg: { op: "isNull", operand: { property: "eo:cloud_cover" } } } as const;
    const { items: found } = await catalog.search({ ...SENTINEL, filter, limit: 100 });
    expect(found.length).toBeGreaterThan(0);
    expect(found.every(({ properties }) => properties["eo:cloud_cover"] !== undefined)).toBe(true);
    expect(bodies.every((body) => body.filter === undefined)).toBe(true);
  });

  test("CMR knows few orders and one condition: no other is sent, whatever is asked", async () => {
    const { catalog, bodies } = over("cmr-stac", hlsItems(120));
    for (const field of ["platform", "created", "collection", "eo:cloud_cover", "id", "datetime", "s2:mgrs_tile"]) {
      await catalog.search({ ...HLS, sortby: [{ field, direction: "asc" }] });
    }
    const sorts = new Set(bodies.flatMap(({ sortby = [] }) => sortby.map(({ field }) => field)));
    expect([...sorts].sort()).toEqual(["id", "properties.datetime", "properties.eo:cloud_cover"]);
    const operators = bodies.flatMap(({ query = {} }) =>
      Object.entries(query).flatMap(([name, each]) => Object.keys(each).map((operator) => `${name} ${operator}`)),
    );
    expect(new Set(operators).size).toBeLessThanOrEqual(2);
    for (const each of operators) expect(["eo:cloud_cover gte", "eo:cloud_cover lte"]).toContain(each);
    expect(bodies.every((body) => body.filter === undefined && body.intersects === undefined)).toBe(true);
  });
});
