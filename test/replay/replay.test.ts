import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "./recordings.ts";
import { type Replay, startReplay } from "./server.ts";

const { SWATH_FIXTURES } = process.env;

/** The contents of a page of a search. */
interface Page {
  readonly features: readonly { readonly id: string; readonly properties: Json }[];
  readonly links: readonly {
    readonly rel: string;
    readonly href: string;
    readonly method?: string;
    readonly body?: Json;
  }[];
  readonly [member: string]: unknown;
}

describe.skipIf(SWATH_FIXTURES === undefined)("the replayed archives", () => {
  let replay: Replay;
  let clock = Date.parse("2026-06-16T12:00:00Z");
  beforeAll(async () => {
    replay = await startReplay({ fixtures: SWATH_FIXTURES ?? "", now: () => clock });
  });
  afterEach(() => replay.reset());
  afterAll(() => replay.close());

  const post = (url: string, body: Json): Promise<Response> =>
    replay.fetch(url, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } });
  const search = async (name: keyof Replay["world"]["upstreams"], body: Json): Promise<Page> => {
    clock += 1000;
    const response = await post(`${replay.world.upstreams[name].url}/search`, body);
    expect(response.status, response.status === 200 ? "" : await response.text()).toBe(200);
    return (await response.json()) as Page;
  };
  const linkOf = (page: Page, rel: string) => page.links.find((link) => link.rel === rel);
  const ids = (page: Page): readonly string[] => page.features.map(({ id }) => id);

  test("every recorded request is answered with the recorded body", async () => {
    const { exchanges } = replay.recordings;
    const whole = exchanges.filter(({ request }) => !/\/collections(\?.*)?$/.test(request.url));
    expect(whole.length).toBeGreaterThan(50);
    for (const { name, request, response } of whole) {
      // the newer of two landing pages is answered
      const isOlder = exchanges.some(
        (other) =>
          other.name > name &&
          other.request.url === request.url &&
          other.request.method === request.method &&
          request.body === undefined,
      );
      if (isOlder || new URL(request.url).pathname.startsWith("/v0")) continue;
      clock += 1000;
      const { method, url, body } = request;
      const answer = await replay.fetch(url, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
      expect([name, answer.status]).toEqual([name, response.status]);
      expect(await answer.json()).toEqual(response.body);
    }
  });

  test("Earth Search pages by sort values, ignores CQL2, and fails over its size", async () => {
    const first = await search("earth-search", {
      collections: ["sentinel-2-c1-l2a"],
      limit: 7,
      filter: { op: "=", args: [1, 2] },
    });
    expect(first).toMatchObject({ numberMatched: 16, numberReturned: 7 });
    const next = linkOf(first, "next");
    expect(next).toMatchObject({
      method: "POST",
      merge: false,
      body: { collections: ["sentinel-2-c1-l2a"], limit: 7 },
    });
    expect(next?.body).not.toHaveProperty("filter");
    const second = await search("earth-search", next?.body ?? {});
    const third = await search("earth-search", linkOf(second, "next")?.body ?? {});
    expect(new Set([first, second, third].flatMap(ids)).size).toBe(16);
    // the link stands as long as a page holds anything
    const last = await search("earth-search", linkOf(third, "next")?.body ?? {});
    expect([last.features, linkOf(last, "next")]).toEqual([[], undefined]);
    const clear = await search("earth-search", {
      collections: ["sentinel-2-c1-l2a"],
      query: { "eo:cloud_cover": { lt: 10 } },
      limit: 100,
    });
    expect(clear.features.length).toBeGreaterThan(0);
    for (const { properties } of clear.features) expect(properties["eo:cloud_cover"]).toBeLessThan(10);
    const url = `${replay.world.upstreams["earth-search"].url}/search`;
    expect((await post(url, { limit: 10_000 })).status).toBe(502);
    expect((await post(url, { bbox: [0, 0, 0, 1, 1, 1] })).status).toBe(502);
  });

  test("Planetary Computer counts nothing, pages both ways by items, and refuses boxes beyond the world", async () => {
    const body = { collections: ["landsat-c2-l2"], limit: 5 };
    const first = await search("planetary-computer", body);
    expect(Object.keys(first).sort()).toEqual(["features", "links", "type"]);
    const next = linkOf(first, "next");
    expect(next?.body).toEqual({ ...body, token: `next:landsat-c2-l2:${first.features[4]?.id}` });
    const second = await search("planetary-computer", next?.body ?? {});
    const back = await search("planetary-computer", linkOf(second, "previous")?.body ?? {});
    expect(ids(back)).toEqual(ids(first));
    expect(linkOf(first, "previous")).toBeUndefined();
    const filtered = await search("planetary-computer", {
      collections: ["landsat-c2-l2"],
      filter: { op: "=", args: [{ property: "landsat:correction" }, "L2SP"] },
    });
    expect(filtered.features.length).toBeGreaterThan(0);
    for (const { properties } of filtered.features) expect(properties["landsat:correction"]).toBe("L2SP");
    const url = `${replay.world.upstreams["planetary-computer"].url}/search`;
    const refused = await post(url, { bbox: [-180.9, -17.7, -180.05, -17] });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("-180, -90, 180, 90")]);
  });

  test("CMR-STAC refuses other sort fields, knows one condition inclusively, and links by GET alone", async () => {
    const { url } = replay.world.upstreams["nasa-cmr-stac"];
    const refused = await post(`${url}/search`, {
      collections: ["HLSL30_2.0"],
      sortby: [{ field: "collection", direction: "asc" }],
    });
    expect([refused.status, await refused.json()]).toEqual([
      400,
      { errors: ["Invalid sort field(s). Valid fields are: startDate, endDate, id, title, eo:cloud_cover, datetime"] },
    ]);
    const first = await search("nasa-cmr-stac", {
      collections: ["HLSL30_2.0", "HLSS30_2.0"],
      limit: 3,
      query: { "eo:cloud_cover": { lt: 100 }, "hls:tile": { eq: "nowhere" } },
      sortby: [{ field: "properties.datetime", direction: "desc" }],
    });
    // inclusive, and the other condition is ignored
    expect(first).toMatchObject({ context: { returned: 3, limit: 3, matched: 4 } });
    expect(first).not.toHaveProperty("numberMatched");
    const next = linkOf(first, "next");
    expect(next?.method).toBeUndefined();
    const second = (await (await replay.fetch(next?.href ?? "")).json()) as Page;
    expect(ids(second)).toEqual(["HLS.L30.T13TGF.2021133T172406.v2.0"]);
    expect(linkOf(second, "prev")).toBeUndefined();
    const old = await search("nasa-cmr-stac", { collections: ["HLSL30.v2.0"], bbox: [-92, 47, -91, 49] });
    expect(old.features).toHaveLength(2);
    for (const { properties } of old.features) expect(properties).not.toHaveProperty("platform");
  });

  test("USGS pages by numbers, Copernicus Data Space answers 429 above five searches a second", async () => {
    const first = await search("usgs", { collections: ["landsat-c2l2-sr"], limit: 2 });
    expect(first).toMatchObject({ context: { page: 1, limit: 2 } });
    const second = await search("usgs", linkOf(first, "next")?.body ?? {});
    expect(second).toMatchObject({ context: { page: 2 } });
    expect(ids(second).some((id) => ids(first).includes(id))).toBe(false);
    clock += 1000;
    const asked = Array.from({ length: 6 }, () => post(`${replay.world.upstreams.cdse.url}/search`, { limit: 1 }));
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429]);
    expect(answers.find(({ status }) => status === 429)?.headers.get("retry-after")).toBe("2");
  });

  test("what is switched to fail fails, as often as asked, also as users quote it, and unknown hosts do not resolve", async () => {
    const { url } = replay.world.upstreams["earth-search"];
    replay.fail("earth-search.aws.element84.com/v1/search", "earth-search-page-500", 1);
    const failed = await post(`${url}/search`, {});
    expect([failed.status, await failed.json()]).toEqual([
      500,
      { code: "InternalServerError", description: "Internal Server Error" },
    ]);
    expect((await post(`${url}/search`, {})).status).toBe(200);
    const mend = replay.fail("/search", 503);
    expect((await post(`${url}/search`, {})).status).toBe(503);
    mend();
    replay.fail("/collections", "broken");
    await expect(replay.fetch(`${url}/collections`)).rejects.toThrow("fetch failed");
    await expect(replay.fetch("https://nowhere.example/")).rejects.toMatchObject({ cause: { code: "ENOTFOUND" } });
    expect(replay.asked("POST https://earth-search").map(({ status: given }) => given)).toEqual([500, 200, 503]);
  });
});
