import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { hasGdal } from "../../apps/api/test/gdal.ts";
import { canonicalRequest, signatureOf } from "../../apps/api/test/s3-signature.ts";
import { storedValues } from "./files/contents.ts";
import type { Json } from "./recordings.ts";
import { type Replay, startReplay } from "./server.ts";

const { SWATH_FIXTURES } = process.env;
const run = promisify(execFile);

/** What a page of a search holds. */
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
      // of two landing pages the newer one is answered
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

  describe("files", () => {
    const hrefOf = (name: keyof Replay["world"]["upstreams"], collection: string, key: string): string => {
      const item = replay.world.upstreams[name].items.find((each) => each.collection === collection);
      return String(item?.assets[key]?.href);
    };
    const s3Url = (href: string, region: string): string => {
      const [, bucket = "", key = ""] = /^s3:\/\/([^/]+)\/(.+)$/.exec(href) ?? [];
      return `https://${bucket}.s3.${region}.amazonaws.com/${key}`;
    };
    const status = async (url: string, headers: Record<string, string> = {}): Promise<number> =>
      (await replay.fetch(url, { headers, redirect: "manual" })).status;

    /** Headers signed with Signature Version 4. */
    const signed = (
      url: string,
      more: Record<string, string>,
      region: string,
      time: number,
    ): Record<string, string> => {
      const { accessKeyId, secretAccessKey } = replay.credentials.amazon;
      const date = new Date(time).toISOString().replaceAll(/[-:]|\.\d+/g, "");
      const headers = { ...more, "x-amz-content-sha256": "UNSIGNED-PAYLOAD", "x-amz-date": date };
      const names = ["host", ...Object.keys(headers)].sort();
      const request = {
        method: "GET",
        target: new URL(url).pathname,
        headers: { ...headers, host: new URL(url).host },
      };
      const canonical = canonicalRequest(request, names, "UNSIGNED-PAYLOAD");
      const scope = `${date.slice(0, 8)}/${region}/s3/aws4_request`;
      const signature = signatureOf(canonical, date, scope, secretAccessKey);
      const claim = `Credential=${accessKeyId}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`;
      return { ...headers, authorization: `AWS4-HMAC-SHA256 ${claim}` };
    };

    test("buckets know their region, their readers and who pays", async () => {
      const dem = hrefOf("earth-search", "cop-dem-glo-30", "data");
      expect(await status(s3Url(dem, "eu-central-1"), { range: "bytes=0-9" })).toBe(206);
      expect(await status(s3Url(dem, "us-west-2"))).toBe(301);
      expect(await status(s3Url(`${dem}x`, "eu-central-1"))).toBe(404);
      const africa = replay.recordings.items("digital-earth-africa")[0]?.assets.red?.href as string;
      expect(await status(s3Url(africa, "af-south-1"))).toBe(200);
      expect(await status(s3Url(africa, "us-west-2"))).toBe(400);
      const landsat = s3Url(hrefOf("earth-search", "landsat-c2-l2", "red"), "us-west-2");
      expect(await status(landsat)).toBe(403);
      const payer = { "x-amz-request-payer": "requester" };
      expect(await status(landsat, signed(landsat, {}, "us-west-2", clock))).toBe(403);
      expect(await status(landsat, signed(landsat, payer, "eu-central-1", clock))).toBe(400);
      expect(await status(landsat, signed(landsat, payer, "us-west-2", clock - 86_400_000))).toBe(403);
      expect(await status(landsat, signed(landsat, payer, "us-west-2", clock))).toBe(200);
      const publicFile = s3Url(dem, "eu-central-1");
      expect(await status(publicFile, signed(publicFile, {}, "us-west-2", clock))).toBe(400);
    });

    test("Azure wants a token of the container, which ends", async () => {
      const href = hrefOf("planetary-computer", "sentinel-1-rtc", "vv");
      expect(await status(href)).toBe(409);
      const [account, container] = [new URL(href).hostname.split(".")[0], new URL(href).pathname.split("/")[1]];
      const service = "https://planetarycomputer.microsoft.com/api/sas/v1/token";
      const tokenOf = async (path: string) =>
        (await (await replay.fetch(`${service}/${path}`)).json()) as { token: string };
      const { token } = await tokenOf(`${account}/${container}`);
      expect(await status(`${href}?${token}`)).toBe(200);
      expect(await status(`${href}?${(await tokenOf("elsewhere/other")).token}`)).toBe(403);
      const named = await tokenOf("sentinel-2-l2a");
      expect(await status(`${hrefOf("planetary-computer", "sentinel-2-l2a", "B04")}?${named.token}`)).toBe(200);
      replay.world.azure.expireTokens();
      expect(await status(`${href}?${token}`)).toBe(403);
      clock += 3_600_000;
      expect(await status(`${href}?${(await tokenOf(`${account}/${container}`)).token}`)).toBe(200);
    });

    test("LP DAAC sends readers without a token to its login, and others to a store that wants no second credential", async () => {
      const href = hrefOf("nasa-cmr-stac", "HLSL30_2.0", "B04");
      const bearer = { authorization: `Bearer ${replay.credentials.earthdata}` };
      expect(await status(href)).toBe(302);
      for (const where of ["cloudfront", "s3"] as const) {
        replay.world.lpDaac.sendTo(where);
        const door = await replay.fetch(href, { headers: bearer, redirect: "manual" });
        const target = door.headers.get("location") ?? "";
        expect([door.status, new URL(target).hostname]).toEqual([
          303,
          where === "s3" ? "lp-prod-protected.s3.us-west-2.amazonaws.com" : "d1nklfio7vscoe.cloudfront.net",
        ]);
        expect(await status(target, { range: "bytes=0-3" })).toBe(206);
        expect(await status(target, bearer)).toBe(403);
        // fetch drops the header by itself where it follows
        expect((await replay.fetch(href, { headers: bearer })).status).toBe(200);
      }
      expect(await status(href.replace("protected", "public").replace(/\.B04\.tif$/, ".jpg"))).toBe(404);
    });

    test("USGS answers its file addresses with a login page", async () => {
      const answer = await replay.fetch(hrefOf("usgs", "landsat-c2l2-sr", "thumbnail"));
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html"]);
    });

    test.skipIf(!hasGdal)("are Cloud-Optimized GeoTIFFs in the recorded grids, as GDAL reads them", async () => {
      const folder = await mkdtemp(join(tmpdir(), "replay-"));
      try {
        for (const [name, collection, key] of [
          ["earth-search", "sentinel-2-c1-l2a", "red"],
          ["earth-search", "landsat-c2-l2", "qa_pixel"],
          ["earth-search", "cop-dem-glo-30", "data"],
          ["planetary-computer", "sentinel-1-rtc", "vv"],
          ["planetary-computer", "landsat-c2-l1", "green"],
          ["planetary-computer", "landsat-8-c2-l2", "SR_B4"],
          ["nasa-cmr-stac", "HLSL30_2.0", "B04"],
          ["nasa-cmr-stac", "HLSS30_2.0", "Fmask"],
        ] as const) {
          const href = hrefOf(name, collection, key);
          const file = replay.world.shelf.find(href);
          const bytes = file && (await replay.world.shelf.read(file));
          expect(bytes?.length, href).toBeGreaterThan(500);
          expect(bytes?.length, href).toBeLessThan(100_000);
          const path = join(folder, `${collection}.tif`);
          await writeFile(path, bytes ?? "");
          const info = JSON.parse((await run("gdalinfo", ["-json", path])).stdout) as {
            geoTransform: number[];
            size: number[];
          };
          const grid: Json = { ...file?.item.properties, ...file?.asset };
          const [a, , c, , e, f] = (grid["proj:transform"] ?? [
            30,
            0,
            info.geoTransform[0],
            0,
            -30,
            info.geoTransform[3],
          ]) as number[];
          expect(info.geoTransform.map((n) => n.toFixed(9))).toEqual(
            [c, a, 0, f, 0, e].map((n) => Number(n).toFixed(9)),
          );
          const [x, y] = [Math.floor((info.size[0] ?? 0) * 0.7), Math.floor((info.size[1] ?? 0) * 0.6)];
          const { stdout } = await run("gdallocationinfo", ["-valonly", path, `${x}`, `${y}`]);
          expect(storedValues(href)).toContain(Number(stdout));
        }
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });
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
