import { type CredentialName, createFileAccess, type FileAccessSources } from "@swath/engine/files";
import type { SourceSettings } from "@swath/engine/node/files";
import { describe, expect, test } from "vitest";
import { ARCHIVE_BUCKETS, amazon } from "../../../../test/tools/amazon.ts";
import { FULL, LEAN, NOW, type TestService, testService } from "../tools/harness.ts";
import { archiveFile, movedServices } from "../tools/moved-files.ts";

const account = { accessKeyId: "AKIASWATHTEST0000001", secretAccessKey: "secret/of+tests" };
const UPSTREAM = "https://earth-search.aws.element84.com/v1";
const PC = "https://planetarycomputer.microsoft.com/api/stac/v1";
const LPCLOUD = "https://cmr.earthdata.nasa.gov/stac/LPCLOUD";

/** Files of the synthetic archive as the real archives keep them. */
function hrefOf(path: string, upstream: string): string {
  if (upstream.startsWith("landsat")) return `s3://usgs-landsat/${path}`;
  if (upstream.startsWith("cop-dem")) return `s3://copernicus-dem-30m/${path}`;
  if (upstream.startsWith("HLS")) return `https://data.lpdaac.earthdatacloud.nasa.gov/${path}`;
  return `https://sentinel-cogs.s3.us-west-2.amazonaws.com/${path}`;
}

/** LP DAAC: a login page for those without the token, a signed address of CloudFront for the others. */
function lpdaac(good: string) {
  return async (input: string | URL, init?: RequestInit): Promise<Response | undefined> => {
    const url = new URL(input);
    const headers = new Headers(init?.headers);
    if (url.host === "data.lpdaac.earthdatacloud.nasa.gov") {
      const isKnown = headers.get("authorization") === `Bearer ${good}`;
      const target = isKnown
        ? `https://d1nklfio7vscoe.cloudfront.net${url.pathname}?Expires=${Math.floor(Date.now() / 1000) + 3600}&Signature=s&Key-Pair-Id=k`
        : "https://urs.earthdata.nasa.gov/oauth/authorize?client_id=x";
      return new Response(null, { status: isKnown ? 303 : 302, headers: { Location: target } });
    }
    if (url.host !== "d1nklfio7vscoe.cloudfront.net") return undefined;
    if (headers.has("authorization")) return new Response(null, { status: 400 });
    const bytes = (await archiveFile(url.pathname)) ?? new Uint8Array();
    const [, start = "0", end = "0"] = /bytes=(\d+)-(\d+)/.exec(headers.get("range") ?? "") ?? [];
    const last = Math.min(Number(end), bytes.length - 1);
    return new Response(bytes.slice(Number(start), last + 1), {
      status: 206,
      headers: { "Content-Range": `bytes ${start}-${last}/${bytes.length}` },
    });
  };
}

/** A service over archives with signatures and tokens, and what Amazon was asked. */
async function service(sources: Pick<SourceSettings, "s3"> & Partial<SourceSettings>, token = "good") {
  const { fetch: s3, records } = amazon({ buckets: ARCHIVE_BUCKETS, account, lookUp: (_, key) => archiveFile(key) });
  const earthdata = lpdaac(token);
  const fetch: SourceSettings["fetch"] = async (input, init) => (await earthdata(input, init)) ?? s3(input, init);
  const resolve = async (): Promise<string[]> => ["8.8.8.8"];
  const parts = await movedServices(FULL.registry, hrefOf, { fetch, resolve, ...sources });
  return { records, service: await testService(parts, { profile: FULL }) };
}

const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png?datetime=2024-07-01/2024-07-31";
const bounds = { bbox: [13.28, 45.83, 13.32, 45.87] };
const processOf = (type: string, bands: readonly string[]) => ({
  input: {
    bounds,
    data: [{ type, dataFilter: { timeRange: { from: "2000-01-01T00:00:00Z", to: "2025-01-01T00:00:00Z" } } }],
  },
  bands,
  output: { width: 9, height: 9, crs: "EPSG:4326" },
});
const statisticsOf = (type: string) => ({
  input: { bounds, data: [{ type }] },
  aggregation: {
    timeRange: { from: "2024-06-01", to: "2024-08-01" },
    aggregationInterval: { of: "P1M" },
    resx: 0.001,
    resy: 0.001,
  },
  index: "ndvi",
});

/** Asks for pixels of a collection by each route that reads them. */
async function asked(each: TestService, collection: string, band: string): Promise<Record<string, Response>> {
  const { features } = (await (await each.get(`/v1/collections/${collection}/items?limit=1`)).json()) as {
    features: { id: string }[];
  };
  return {
    tile: await each.get(`${TILE}&collection=${collection}`),
    preview: await each.get(`/v1/collections/${collection}/items/${features[0]?.id}/preview.png?max_size=64`),
    process: await each.post("/v1/process", processOf(collection, [band])),
  };
}

async function details(answers: Record<string, Response>): Promise<Record<string, unknown>> {
  const read = async ([name, answer]: [string, Response]): Promise<[string, unknown]> => {
    if (answer.status === 200) return [name, 200];
    const { code, detail } = (await answer.json()) as { code: string; detail: string };
    return [name, { status: answer.status, code, detail, retryAfter: answer.headers.get("Retry-After") }];
  };
  return Object.fromEntries(await Promise.all(Object.entries(answers).map(read)));
}

describe("without any keys", () => {
  test("everything that is free is drawn", { tags: ["AF1"] }, async () => {
    const { service: open, records } = await service({ s3: { region: "us-west-2" } });
    expect(await details(await asked(open, "sentinel-2-l2a", "red"))).toEqual({
      tile: 200,
      preview: 200,
      process: 200,
    });
    const dem = await open.post("/v1/process", processOf("dem", ["data"]));
    expect(dem.status).toBe(200);
    expect((await open.get("/v1/tiles/hillshade/WebMercatorQuad/9/275/182.png")).status).toBe(200);
    expect(records.length).toBeGreaterThan(0);
    expect(records.filter(({ isSigned, saysPayer, verdict }) => isSigned || saysPayer || verdict !== "ok")).toEqual([]);
  });

  test("what is not is 503 and names the keys that the service lacks, without a request", {
    tags: ["AF9"],
  }, async () => {
    const { service: open, records } = await service({ s3: { region: "us-west-2" } });
    const missing = {
      status: 503,
      code: "upstream-unavailable",
      detail: expect.stringMatching(
        /could not be read: the service has no AWS keys \(AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY\)\.$/,
      ),
      retryAfter: "300",
    };
    expect(await details(await asked(open, "landsat-ot-l2", "red"))).toEqual({
      tile: missing,
      preview: missing,
      process: missing,
    });
    expect(records).toEqual([]);
  });

  test("HLS is 503 and names the token that the service lacks", async () => {
    const { service: open } = await service({ s3: { region: "us-west-2" } });
    const missing = {
      status: 503,
      detail: expect.stringMatching(/the service has no token of NASA Earthdata \(EARTHDATA_TOKEN\)\.$/),
    };
    const { process } = await details(await asked(open, "hls", "Red"));
    expect(process).toMatchObject(missing);
  });
});

test("with keys Landsat is signed for its own region, whatever the region of the service", async () => {
  const { service: paid, records } = await service({ s3: { region: "eu-central-1", credentials: account } });
  expect(await details(await asked(paid, "landsat-ot-l2", "red"))).toEqual({ tile: 200, preview: 200, process: 200 });
  expect(new Set(records.map(({ host, saysPayer, verdict }) => `${host} ${saysPayer} ${verdict}`))).toEqual(
    new Set(["usgs-landsat.s3.us-west-2.amazonaws.com true ok"]),
  );
});

test("keys that the archive refuses are named, and their secret is not", { tags: ["AF9"] }, async () => {
  const wrong = { accessKeyId: "AKIAWRONG", secretAccessKey: "very secret" };
  const { service: paid } = await service({ s3: { region: "us-west-2", credentials: wrong } });
  const answers = await details(await asked(paid, "landsat-ot-l2", "red"));
  expect(answers.tile).toMatchObject({
    status: 503,
    detail: expect.stringContaining("refuses the service's AWS keys"),
  });
  expect(JSON.stringify(answers)).not.toMatch(/very secret|AKIAWRONG/);
});

test("with a token HLS is read through the redirect; one that has expired is named", { tags: ["AF9"] }, async () => {
  const within = { within: ["*.earthdatacloud.nasa.gov"] };
  const credentials = (token: string) => ({ earthdata: { token, ...within } });
  const { service: known } = await service({ s3: { region: "us-west-2" }, credentials: credentials("good") });
  expect((await details(await asked(known, "hls", "Red"))).process).toBe(200);
  const { service: expired } = await service({ s3: { region: "us-west-2" }, credentials: credentials("old") });
  expect((await details(await asked(expired, "hls", "Red"))).process).toMatchObject({
    status: 503,
    detail: expect.stringContaining(
      "refuses the service's token of NASA Earthdata (EARTHDATA_TOKEN): wrong or expired",
    ),
  });
});

test("statistics and series name the missing keys too", { tags: ["AF9"] }, async () => {
  const { service: open } = await service({ s3: { region: "us-west-2" } });
  const answer = await open.post("/v1/statistics", statisticsOf("landsat-ot-l2"));
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining("AWS_ACCESS_KEY_ID")]);
  const window = "datetime=2024-07-01/2024-07-31&index=ndvi";
  const series = await open.get(`/v1/timeseries?lon=13.3&lat=45.85&${window}&collections=landsat-ot-l2`);
  expect([series.status, await series.text()]).toEqual([503, expect.stringContaining("AWS_ACCESS_KEY_ID")]);
});

test.each([
  {
    what: "a page",
    answer: () => new Response("<!DOCTYPE html><html></head>", { headers: { "Content-Type": "text/html" } }),
  },
  { what: "a page that says nothing of itself", answer: () => new Response("<!doctype html><html><body>Sign In") },
  {
    what: "a redirect to log in",
    answer: () => new Response(null, { status: 302, headers: { Location: "https://ers.cr.usgs.gov/login" } }),
  },
])(
  "$what in place of a file of USGS is no damaged file, but one that needs a login",
  { tags: ["AF11"] },
  async ({ answer }) => {
    const hosts: string[] = [];
    const fetch = async (input: string | URL): Promise<Response> => {
      hosts.push(new URL(input).host);
      return answer();
    };
    const resolve = async (): Promise<string[]> => ["8.8.8.8"];
    const usgs = (path: string): string => `https://landsatlook.usgs.gov/data/${path}`;
    const parts = await movedServices(FULL.registry, usgs, { fetch, resolve, s3: { region: "us-west-2" } });
    const service = await testService(parts, { profile: FULL });
    const needsLogin = {
      status: 503,
      code: "upstream-unavailable",
      detail: expect.stringMatching(/could not be read: the archive wants a login for a file\.$/),
      retryAfter: "300",
    };
    expect(await details(await asked(service, "landsat-ot-l2", "red"))).toEqual({
      tile: needsLogin,
      preview: needsLogin,
      process: needsLogin,
    });
    expect(new Set(hosts)).toEqual(new Set(["landsatlook.usgs.gov"]));
  },
);

test("an archive that wants to be left alone says for how long, and the client is told", {
  tags: ["AF8"],
}, async () => {
  let asked = 0;
  const fetch = async (): Promise<Response> => {
    asked += 1;
    return new Response("", { status: 503, headers: { "Retry-After": "37" } });
  };
  const parts = await movedServices(FULL.registry, hrefOf, { fetch, s3: { region: "us-west-2" } });
  const busy = await testService(parts, { profile: FULL });
  const first = await busy.get(TILE);
  expect([first.status, first.headers.get("Retry-After")]).toEqual([503, "37"]);
  const before = asked;
  const second = await busy.get(TILE.replace("275/182", "275/183"));
  expect([second.status, Number(second.headers.get("Retry-After"))]).toEqual([503, expect.closeTo(37, -1)]);
  expect(asked).toBe(before);
});

const sources: FileAccessSources = {
  assetHosts: [],
  s3: { region: "us-west-2" },
  upstreamUrl: UPSTREAM,
  otherUpstreamUrls: [LPCLOUD, PC],
};
const accessOf = (changes: Partial<FileAccessSources> = {}, refused: readonly CredentialName[] = []) =>
  createFileAccess({
    registry: FULL.registry,
    sources: { ...sources, ...changes },
    localUpstreams: [],
    isRefused: (name) => refused.includes(name),
    now: () => NOW.getTime(),
  });

describe("documents", () => {
  const fileAccess = accessOf({ otherUpstreamUrls: [LPCLOUD] });

  test("of collections and health say so in the full profile", { tags: ["AF10"] }, async () => {
    const full = await testService({ fileAccess }, { profile: FULL });
    const of = async (path: string) => (await (await full.get(path)).json()) as Record<string, unknown>;
    expect((await of("/v1/collections/sentinel-2-l2a"))["svc:access"]).toEqual({ status: "available" });
    expect((await of("/v1/collections/landsat-ot-l2"))["svc:access"]).toEqual({
      status: "unavailable",
      missing: [
        {
          credential: "aws",
          status: "missing",
          variables: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"],
          detail: "The service has no AWS keys (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).",
        },
      ],
    });
    const { collections } = await of("/v1/collections");
    expect((collections as Record<string, unknown>[]).every((each) => each["svc:access"] !== undefined)).toBe(true);
    expect(await of("/v1/health")).toMatchObject({
      status: "ok",
      access: [
        {
          credential: "aws",
          status: "missing",
          collections: ["landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2", "sentinel-2-l1c"],
        },
        { credential: "earthdata", status: "missing", collections: ["hls"] },
      ],
    });
  });

  test("of health are degraded by a credential that stopped working, not by one that was never there", async () => {
    const broken = accessOf({ credentials: { earthdata: { token: "opaque" } } }, ["earthdata"]);
    const full = await testService({ fileAccess: broken }, { profile: FULL });
    expect(await (await full.get("/v1/health")).json()).toMatchObject({ status: "degraded" });
  });

  test("of lean v1 and of services that know nothing of it have no such members", { tags: ["AF10"] }, async () => {
    for (const plain of [await testService({}, { profile: LEAN }), await testService({}, { profile: FULL })]) {
      expect(await (await plain.get("/v1/health")).json()).not.toHaveProperty("access");
      const document = await (await plain.get("/v1/collections/sentinel-2-l2a")).json();
      expect(document).not.toHaveProperty("svc:access");
    }
  });
});
