import { createUpstreamCatalog } from "@swath/catalog";
import { CogError } from "@swath/cog";
import { createSources, openFile } from "@swath/engine/node/files";
import { type Fetch, Pace } from "@swath/http";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES, BUILT_IN_PRESETS } from "@swath/schema/files";
import { upstreamKindOf } from "@swath/schema/upstreams";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { boundedFetch } from "../src/bounded-fetch.ts";
import { examine } from "../src/examine.ts";
import { failingLandingPages } from "../src/landing-pages.ts";
import { reportLines } from "../src/lines.ts";
import { askedFor, UnknownNameError } from "../src/names.ts";
import { plainText, plainUrl } from "../src/plain-text.ts";
import { DoctorReport, type UpstreamReport } from "../src/report.ts";
import type { ExaminationLimits, Upstream } from "../src/upstream.ts";
import { fileWords, type SettingNames } from "../src/words.ts";

const SETTINGS: SettingNames = {
  address: (upstream) => `--${upstream}`,
  newAddress: (upstream) => `--${upstream}=https://…`,
  kind: "--kind",
  hosts: "--hosts",
};
const KEYS = { accessKeyId: "AKIADOCTOR0000000001", secretAccessKey: "a-secret-of-the-doctor" };
const SECRETS = Object.values(KEYS);
const known = createRegistry(BUILT_IN_FILES, BUILT_IN_PRESETS);
/** A port that nothing listens on: none of those that systems give to servers without a port of their own. */
const SILENT_PORT = 4;

let upstream: ServedUpstream;
/** Answers in place of the archive. */
let fault: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"), { intercept: (request) => fault?.(request) });
});
afterEach(() => {
  fault = undefined;
  upstream.resetRequests();
  vi.restoreAllMocks();
});
afterAll(() => upstream.close());

interface Visit {
  readonly status: DoctorReport["status"];
  readonly report: DoctorReport;
  readonly text: string;
}

/** Upstreams by their addresses, with the collections that are asked for; the served archive is the S3 service of all buckets. */
function opened(addresses: Readonly<Record<string, string>>, names: readonly string[] = []) {
  const upstreams = Object.keys(addresses);
  const registry = known.withUpstreams(upstreams, upstreams.slice(1));
  const asked = askedFor(names, { registry, known }, upstreams, SETTINGS);
  const all = Object.entries(addresses).map(([name, url]): Upstream => {
    const kind = upstreamKindOf(url);
    return {
      name,
      url,
      title: kind.title,
      collections: asked.collectionsOf(name),
      open: (fetch) => {
        const sourceFor = createSources({
          upstreamUrl: url,
          assetHosts: [],
          knownHosts: registry.assetHosts,
          storage: registry.storage,
          s3: { region: "us-west-2", endpoint: new URL(upstream.url).origin, credentials: KEYS },
          fetch,
        });
        return {
          catalog: createUpstreamCatalog({ url, registry, name, kind, fetch, retries: 1, pace: new Pace(kind.rate) }),
          openFile: (address, signal) => openFile(sourceFor(address.href), address, signal),
        };
      },
    };
  });
  return { upstreams: all.filter(({ name }) => asked.isAsked(name)), absent: asked.absent };
}

async function visit(
  names: readonly string[],
  addresses: Readonly<Record<string, string>> = {},
  limits: Partial<ExaminationLimits> = {},
): Promise<Visit> {
  const { upstreams, absent } = opened({ default: upstream.url, ...addresses }, names);
  const report = await examine(upstreams, { settings: SETTINGS, secrets: SECRETS, absent, limits });
  return { status: report.status, report: DoctorReport.parse(report), text: reportLines(report).join("\n") };
}

const reportOf = async (...asked: Parameters<typeof visit>): Promise<DoctorReport> => (await visit(...asked)).report;

/** A clock that the limits of steps and upstreams go by, and that goes on to the next of them when it is told. */
function ownTime() {
  let time = 0;
  const limits: { readonly at: number; readonly end: AbortController }[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const end = new AbortController();
    limits.push({ at: time + ms, end });
    return end.signal;
  });
  const passToNextLimit = (): void => {
    time = Math.min(...limits.map(({ at }) => at).filter((at) => at > time));
    const reason = new DOMException("The time is over.", "TimeoutError");
    for (const { at, end } of limits) if (at <= time) end.abort(reason);
  };
  return { now: () => time, passToNextLimit };
}

/** Steps that failed, by collection. */
function failed({ landingPage, collections }: UpstreamReport): Record<string, string[]> {
  const all = [...(landingPage === undefined ? [] : [{ id: "landing page", steps: [landingPage] }]), ...collections];
  const named = all.map(({ id, steps }) => [
    id,
    steps.filter(({ status }) => status === "failed").map(({ step }) => step),
  ]);
  return Object.fromEntries(named.filter(([, steps]) => steps?.length !== 0));
}

describe("an upstream", () => {
  test("with all collections but one is well but for that: a page, an item, a header and a block of each of its collections, with 20 requests at most", async () => {
    const report = await reportOf([]);
    const [only] = report.upstreams as [UpstreamReport];
    expect([report.status, failed(only)]).toEqual(["failing", { "sentinel-2-l1c": ["search"] }]);
    expect(only.collections.map(({ id }) => id)).toEqual([
      "sentinel-2-l2a",
      "landsat-ot-l2",
      "landsat-etm-l2",
      "landsat-tm-l2",
      "dem",
      "sentinel-2-l1c",
    ]);
    const { search, asset, other, bytes } = upstream.requests;
    expect(only.requests).toBe(search + asset + other);
    expect(only.requests).toBeLessThanOrEqual(20);
    expect(only.bytes).toBeGreaterThan(bytes);
    const [, landsat, etm] = only.collections;
    const blocks = only.collections.map(({ steps }) => steps.find(({ step }) => step === "block"));
    // a small file comes with its header
    const seen = blocks.map((block) => (block?.requests === 1 ? block.bytes > 1000 : (block?.found ?? block?.sameAs)));
    expect(seen).toEqual(["with header", true, "landsat-ot-l2", "landsat-ot-l2", true, undefined]);
    expect(landsat?.steps.filter(({ sameAs }) => sameAs !== undefined)).toEqual([]);
    expect(etm?.steps.flatMap(({ step, sameAs }) => (sameAs === "landsat-ot-l2" ? [step] : []))).toEqual([
      "second-page",
      "item",
      "header",
      "block",
    ]);
  });

  test("a collection that is asked for by name or alias is asked by itself, a virtual one is its members", async () => {
    const [etm] = (await reportOf(["landsat-etm-l2"])).upstreams;
    expect(etm?.collections.map(({ steps }) => steps.some(({ sameAs }) => sameAs !== undefined))).toEqual([false]);
    const [optical] = (await reportOf(["optical-sr"])).upstreams;
    expect(optical?.collections.map(({ id }) => id)).not.toContain("dem");
    expect(optical?.collections.length).toBe(4);
  });
});

test("where requests are spent, searches came first, and what was left out is named", async () => {
  const names = ["sentinel-2-l2a", "landsat-ot-l2", "dem"];
  const limits = { requests: 8 };
  const [only] = (await reportOf(names, {}, limits)).upstreams as [UpstreamReport];
  expect([only.requests, only.status]).toEqual([8, "ok"]);
  const steps = only.collections.map((each) => Object.fromEntries(each.steps.map((step) => [step.step, step])));
  expect(steps.map(({ search }) => search?.status)).toEqual(["ok", "ok", "ok"]);
  expect(steps.map((step) => step["second-page"]?.sameAs)).toEqual([undefined, "sentinel-2-l2a", "sentinel-2-l2a"]);
  expect(steps[2]?.header).toMatchObject({ status: "skipped", detail: "The requests of the upstream are spent." });
  const { status, text } = await visit(names, {}, limits);
  expect(status).toBe("ok");
  expect(text).toContain("dem, for want of time or requests: name fewer collections.\nAll well");
});

describe("an upstream that does not answer", () => {
  test("because nobody knows its host", async () => {
    const { status, text } = await visit([], { default: "https://stac.invalid/v1" });
    expect(status).toBe("failing");
    expect(text).toMatch(
      /^- default, landing page, search of sentinel-2-l2a: The upstream did not answer: getaddrinfo E\w+ stac\.invalid\.$/m,
    );
    expect(text).toContain(
      "  To do: Look whether the address in --default is right, and whether this machine reaches stac.invalid (names, proxy, firewall).",
    );
  });

  test("because nobody listens there", async () => {
    const { status, text } = await visit(["own"], { own: `http://127.0.0.1:${SILENT_PORT}` });
    expect(status).toBe("failing");
    expect(text).toContain(
      `- own, landing page: The upstream did not answer: connect ECONNREFUSED 127.0.0.1:${SILENT_PORT}.`,
    );
    expect(text).toContain("the address in --own is right");
  });

  test("a landing page for people", async () => {
    fault = () => new Response("<!doctype html><title>Welcome</title>", { headers: { "Content-Type": "text/html" } });
    const report = await reportOf(["default"]);
    const [only] = report.upstreams as [UpstreamReport];
    expect(failed(only)).toEqual({ "landing page": ["landing-page"], "sentinel-2-l2a": ["search"] });
    expect(only.landingPage).toMatchObject({
      detail: "Expected JSON from the upstream, got status 200, text/html, 37 characters.",
      advice: expect.stringMatching(/^Is the address in --default the root of a STAC API/),
    });
    const skipped = only.collections.flatMap(({ steps }) => steps.flatMap(({ detail }) => detail ?? []));
    expect(skipped).toContain("Neither the landing page nor a search was answered before.");
    expect(only.requests).toBeLessThanOrEqual(20);
  });

  test("searches that hang: no step takes longer than it may, nor all of them together", {
    tags: ["AF14"],
  }, async () => {
    const { now, passToNextLimit } = ownTime();
    fault = ({ url }) => {
      if (!url.endsWith("/search")) return undefined;
      // nothing more comes: all that goes on is time
      setImmediate(passToNextLimit);
      return new Promise(() => {});
    };
    const { upstreams } = opened({ default: upstream.url });
    const limits = { stepMs: 300, upstreamMs: 1000 };
    const report = await examine(upstreams, { settings: SETTINGS, secrets: SECRETS, now, limits });
    const [only] = report.upstreams as [UpstreamReport];
    const searches = only.collections.map(({ steps }) => steps[0]);
    expect([report.ms, only.ms, searches.map((step) => step?.ms)]).toEqual([1000, 1000, [300, 300, 300, 100, 0, 0]]);
    expect(searches[0]).toMatchObject({ status: "failed", detail: "No whole answer within 0.3 s." });
    expect(searches[0]?.advice).toContain("is slow or does not answer");
    expect(searches.at(-1)).toMatchObject({ status: "skipped", detail: "The time of the upstream is over." });
    expect(report.status).toBe("failing");
  });

  test("too many requests: 429 with the seconds to wait", async () => {
    fault = ({ url }) =>
      url.endsWith("/search") ? new Response("{}", { status: 429, headers: { "Retry-After": "60" } }) : undefined;
    const { status, text } = await visit(["dem", "sentinel-2-l2a"]);
    expect(status).toBe("failing");
    expect(text).toContain(
      "- default, search of sentinel-2-l2a and dem: The upstream answered 429: it is asked too often, and may be asked again after 60 s.",
    );
    expect(text).toContain("To do: Wait, then run the doctor again.");
    // the pause is kept by the next collection too
    expect(upstream.requests.search).toBe(1);
  });

  test("500 to every search: the requests that look for what works are bounded", { tags: ["AF14"] }, async () => {
    fault = ({ url }) => (url.endsWith("/search") ? new Response("{}", { status: 500 }) : undefined);
    const [only] = (await reportOf([])).upstreams as [UpstreamReport];
    expect(only.requests).toBeLessThanOrEqual(20);
    expect(only.collections[0]?.steps[0]).toMatchObject({
      status: "failed",
      detail: "The upstream answered 500: it is down or overloaded.",
    });
  });

  test.each([401, 403])("%i: it does not let the service in", async (status) => {
    fault = () => Response.json({ description: "Who are you?" }, { status });
    const { text } = await visit(["dem"]);
    expect(text).toContain(`The upstream answered ${status}: Who are you?`);
    expect(text).toMatch(/To do: 127\.0\.0\.1:\d+ does not let this service in/);
  });
});

test("an upstream that lacks a collection names what to look at", { tags: ["AF13"] }, async () => {
  fault = ({ url, method }) => {
    if (url.includes("/collections/cop-dem-glo-30")) return Response.json({}, { status: 404 });
    const isSearch = method === "POST" && url.endsWith("/search");
    return isSearch ? Response.json({ type: "FeatureCollection", features: [], links: [] }) : undefined;
  };
  const { status, text } = await visit(["dem", "landsat-ot-l2"]);
  expect(status).toBe("failing");
  expect(text).toContain(
    "- default, search of dem: The upstream has no collection cop-dem-glo-30.\n  To do: Is the address in",
  );
  expect(text).toContain(
    "- default, search of landsat-ot-l2: The upstream has landsat-c2-l2, but none of its items is one of this collection.",
  );
});

test("a file that is gone is said with its address", async () => {
  fault = ({ url }) =>
    url.includes("/assets/") || !url.includes("/v1") ? new Response("", { status: 404 }) : undefined;
  const { status, text } = await visit(["dem"]);
  expect(status).toBe("failing");
  expect(text).toMatch(/- default, header of dem: \S+: the server answered 404\.\n {2}To do: Ask the archive:/);
});

test("no more requests are sent than may be, and bytes are counted", async () => {
  const sent: string[] = [];
  const fetch: Fetch = (input) => {
    sent.push(String(input));
    return Promise.resolve(new Response("12345"));
  };
  const bounded = boundedFetch(3, fetch);
  const ask = async (): Promise<string> => (await bounded.fetch("https://a.example/")).text();
  bounded.allow(1);
  expect(await ask()).toBe("12345");
  await expect(ask()).rejects.toThrow("no more than 1 request is sent here");
  bounded.allow(10);
  await ask();
  await ask();
  await expect(ask()).rejects.toThrow("more than 3 requests");
  expect([sent.length, bounded.requests, bounded.left, bounded.refused, bounded.bytes]).toEqual([3, 3, 0, 2, 15]);
});

test("text of others is shown without secrets, queries of addresses, users in them and control characters", () => {
  const plain = plainText([...SECRETS, "tok/en+1234"]);
  expect(plain("see https://me:word@a.example/x/y.tif?sig=abc&x=1, then s3://b/k?X-Amz-Signature=1.")).toBe(
    "see https://a.example/x/y.tif then s3://b/k",
  );
  expect(plain("Bearer tok/en+1234, or tok%2Fen%2B1234, a-secret-of-the-doctor")).toBe("Bearer …, or …, …");
  expect(plain("\u001b[31mred\u0007\nline \u202e end")).toBe("[31mred line end");
  expect(plain("x".repeat(1000)).length).toBe(401);
  expect(plainUrl("https://me:word@stac.example:8443/v1/?key=1")).toBe("https://stac.example:8443/v1");
});

test("the region of a bucket is a fact that the advice asks for", () => {
  const error = new CogError("wrong-region", "s3://b/k: the server answered 301. The bucket is in af-south-1.", {
    region: "af-south-1",
  });
  expect(fileWords(error, SETTINGS)).toEqual({
    detail: "s3://b/k: the server answered 301. The bucket is in af-south-1.",
    advice:
      "Name the region of the bucket in `storage.buckets` of the collection file, or in AWS_REGION where no file names the bucket.",
  });
});

test("a name that nothing has is an error with the one that was meant, and a collection without an upstream says where it is", async () => {
  expect(() => opened({ default: upstream.url }, ["landsat-ot-l3"])).toThrow(UnknownNameError);
  expect(() => opened({ default: upstream.url }, ["landsat-ot-l3"])).toThrow('Did you mean "landsat-ot-l2"?');
  const { status, text } = await visit(["hls"]);
  expect([status, text]).toEqual([
    "failing",
    expect.stringContaining(
      "- hls: hls has no upstream here: it comes from lpcloud or pc.\n  To do: Name the address of that upstream: --lpcloud=https://….",
    ),
  ]);
  expect(upstream.requests).toEqual({ search: 0, asset: 0, other: 0, bytes: 0 });
});

test("an upstream that is not opened is named and not tried, an archive on this machine has no landing page", async () => {
  const named = { name: "folder", title: "a folder", collections: [] };
  const { upstreams } = opened({ default: upstream.url }, ["dem"]);
  const { url: _, ...local } = upstreams[0] as Upstream;
  const report = await examine([named, local], { settings: SETTINGS, secrets: [], now: () => 0 });
  const [folder, archive] = report.upstreams as [UpstreamReport, UpstreamReport];
  expect(folder).toEqual({ ...named, status: "ok", requests: 0, ms: 0, bytes: 0, collections: [] });
  expect([archive.status, archive.landingPage, archive.url]).toEqual(["ok", undefined, undefined]);
  expect(archive.collections.flatMap(({ steps }) => steps.map(({ status }) => status))).not.toContain("failed");
});

test("landing pages alone: who fails is told, with two requests at most", async () => {
  const { upstreams } = opened({ default: upstream.url, own: `http://127.0.0.1:${SILENT_PORT}` });
  const told: unknown[] = [];
  await failingLandingPages(upstreams, { settings: SETTINGS, secrets: [] }, (failing) => told.push(failing));
  expect(told).toEqual([
    {
      upstream: "own",
      line: expect.stringMatching(
        /^own, landing page: The upstream did not answer: connect ECONNREFUSED 127\.0\.0\.1:\d+\. To do: Look whether the address in --own is right/,
      ),
    },
  ]);
  expect(upstream.requests).toMatchObject({ search: 0, asset: 0, other: 1 });
});

test("a relative address is called one, and no host is to be trusted for it", () => {
  const sources = createSources({ assetHosts: [], s3: { region: "us-west-2" } });
  for (const href of ["./B04.tif", "B04.tif", "../a/B04.tif", "/a/B04.tif"]) {
    let words: { readonly detail: string; readonly advice: string } | undefined;
    try {
      sources(href);
    } catch (error) {
      words = fileWords(error, SETTINGS);
    }
    expect(words?.detail).toBe(`"${href}" is a relative address, and its item has no address to begin it with.`);
    expect(words?.advice).toBe("Ask the archive: its catalog and its files do not agree. Other items may be whole.");
  }
});
