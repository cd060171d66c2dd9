import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CogError } from "@swath/cog";
import type { Fetch } from "@swath/http";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from "vitest";
import { freePort } from "../../../test/tools/free-port.ts";
import { openFiles } from "../src/open/collection-files.ts";
import { boundedFetch } from "../src/open/doctor/bounded-fetch.ts";
import { DOCTOR_USAGE, type DoctorCommandParts, runDoctorCommand } from "../src/open/doctor/command.ts";
import { plainText, plainUrl } from "../src/open/doctor/plain-text.ts";
import { DoctorReport, type UpstreamReport } from "../src/open/doctor/report.ts";
import { reportFailingUpstreams } from "../src/open/doctor/start.ts";
import { fileWords } from "../src/open/doctor/words.ts";
import { parseEnvironment } from "../src/open/environment.ts";

let upstream: ServedUpstream;
let folder: string;
/** Answers in place of the archive. */
let fault: ((request: Request) => Response | undefined | Promise<Response | undefined>) | undefined;
beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"), { intercept: (request) => fault?.(request) });
  folder = await mkdtemp(join(tmpdir(), "swath-doctor-"));
});
afterEach(() => {
  fault = undefined;
  upstream.resetRequests();
});
afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true, force: true });
});

/** Keys for the bucket of Landsat, which the served archive is the S3 endpoint of. */
const variables = (): Record<string, string> => ({
  SWATH_UPSTREAM_URL: upstream.url,
  SWATH_DATA_DIR: folder,
  AWS_ENDPOINT_URL_S3: new URL(upstream.url).origin,
  AWS_ACCESS_KEY_ID: "AKIADOCTOR0000000001",
  AWS_SECRET_ACCESS_KEY: "a-secret-of-the-doctor",
});

interface Visit {
  readonly code: number;
  readonly text: string;
}

async function visit(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  options: Partial<DoctorCommandParts> = {},
): Promise<Visit> {
  const lines: string[] = [];
  const print = (line: string): number => lines.push(line);
  const environment = parseEnvironment({ ...variables(), ...more });
  const code = await runDoctorCommand(args, { environment, print, printError: print, ...options });
  return { code, text: lines.join("\n") };
}

async function reportOf(...visited: Parameters<typeof visit>): Promise<DoctorReport> {
  const [args, ...rest] = visited;
  return DoctorReport.parse(JSON.parse((await visit([...args, "--json"], ...rest)).text));
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
  const [only] = (await reportOf(names, {}, { limits })).upstreams as [UpstreamReport];
  expect([only.requests, only.status]).toEqual([8, "ok"]);
  const steps = only.collections.map((each) => Object.fromEntries(each.steps.map((step) => [step.step, step])));
  expect(steps.map(({ search }) => search?.status)).toEqual(["ok", "ok", "ok"]);
  expect(steps.map((step) => step["second-page"]?.sameAs)).toEqual([undefined, "sentinel-2-l2a", "sentinel-2-l2a"]);
  expect(steps[2]?.header).toMatchObject({ status: "skipped", detail: "The requests of the upstream are spent." });
  const { code, text } = await visit(names, {}, { limits });
  expect(code).toBe(0);
  expect(text).toContain("dem, for want of time or requests: name fewer collections.\nAll well");
});

describe("an upstream that does not answer", () => {
  test("because nobody knows its host", async () => {
    const { code, text } = await visit([], { SWATH_UPSTREAM_URL: "https://stac.invalid/v1" });
    expect(code).toBe(1);
    expect(text).toMatch(
      /^- default, landing page, search of sentinel-2-l2a: The upstream did not answer: getaddrinfo E\w+ stac\.invalid\.$/m,
    );
    expect(text).toContain(
      "  To do: Look whether the address in SWATH_UPSTREAM_URL is right, and whether this machine reaches stac.invalid (names, proxy, firewall).",
    );
  });

  test("because nobody listens there", async () => {
    const port = await freePort();
    const { code, text } = await visit(["own"], { SWATH_UPSTREAMS: `own=http://127.0.0.1:${port}` });
    expect(code).toBe(1);
    expect(text).toContain(`- own, landing page: The upstream did not answer: connect ECONNREFUSED 127.0.0.1:${port}.`);
    expect(text).toContain("the address in SWATH_UPSTREAMS is right");
  });

  test("a landing page for people", async () => {
    fault = () => new Response("<!doctype html><title>Welcome</title>", { headers: { "Content-Type": "text/html" } });
    const report = await reportOf(["default"]);
    const [only] = report.upstreams as [UpstreamReport];
    expect(failed(only)).toEqual({ "landing page": ["landing-page"], "sentinel-2-l2a": ["search"] });
    expect(only.landingPage).toMatchObject({
      detail: "Expected JSON from the upstream, got status 200, text/html, 37 characters.",
      advice: expect.stringMatching(/^Is the address in SWATH_UPSTREAM_URL the root of a STAC API/),
    });
    const skipped = only.collections.flatMap(({ steps }) => steps.flatMap(({ detail }) => detail ?? []));
    expect(skipped).toContain("Neither the landing page nor a search was answered before.");
    expect(only.requests).toBeLessThanOrEqual(20);
  });

  test("searches that hang: no step takes longer than it may, nor all of them together", {
    tags: ["AF14"],
  }, async () => {
    fault = ({ url }) => (url.endsWith("/search") ? new Promise(() => {}) : undefined);
    const started = performance.now();
    const report = await reportOf([], {}, { limits: { stepMs: 300, upstreamMs: 1000 } });
    expect(performance.now() - started).toBeLessThan(10_000);
    const [only] = report.upstreams as [UpstreamReport];
    const searches = only.collections.map(({ steps }) => steps[0]);
    expect(searches[0]).toMatchObject({ status: "failed", detail: "No whole answer within 0.3 s." });
    expect(searches[0]?.advice).toContain("is slow or does not answer");
    expect(searches.at(-1)).toMatchObject({ status: "skipped", detail: "The time of the upstream is over." });
    expect(report.status).toBe("failing");
  });

  test("too many requests: 429 with the seconds to wait", async () => {
    fault = ({ url }) =>
      url.endsWith("/search") ? new Response("{}", { status: 429, headers: { "Retry-After": "60" } }) : undefined;
    const { code, text } = await visit(["dem", "sentinel-2-l2a"]);
    expect(code).toBe(1);
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
  const { code, text } = await visit(["dem", "landsat-ot-l2"]);
  expect(code).toBe(1);
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
  const { code, text } = await visit(["dem"]);
  expect(code).toBe(1);
  expect(text).toMatch(/- default, header of dem: \S+: the server answered 404\.\n {2}To do: Ask the archive:/);
});

test("the synthetic archive: before its first start, and when it is made", async () => {
  const none = { SWATH_UPSTREAM_URL: "", AWS_ENDPOINT_URL_S3: "" };
  const before = await visit([], none);
  expect([before.code, before.text]).toEqual([
    0,
    expect.stringContaining("default | the synthetic archive, which the first start makes"),
  ]);
  await symlink(inject("sandbox"), join(folder, "sandbox"));
  const report = await reportOf([], none);
  await rm(join(folder, "sandbox"));
  const [only] = report.upstreams as [UpstreamReport];
  expect([report.status, only.requests, only.landingPage]).toEqual(["ok", 0, undefined]);
  expect(only.collections.map(({ id }) => id)).toContain("hls");
  expect(only.collections.flatMap(({ steps }) => steps.map(({ status }) => status))).not.toContain("skipped");
});

test("the owner's folder is named with the command that looks at it, and takes the place of the synthetic archive", async () => {
  const { code, text } = await visit([], { SWATH_UPSTREAM_URL: "", SWATH_ARCHIVE: folder });
  expect(code).toBe(0);
  expect(text).toMatch(/^archive \| the owner's folder, which `npm run archive -- reindex` looks at\n.*\n\nAll well/);
  expect((await visit(["default"], { SWATH_UPSTREAM_URL: "", SWATH_ARCHIVE: folder })).code).toBe(2);
});

describe("the command line", () => {
  test("wrong use is 2, with the name that was meant", { tags: ["AF13"] }, async () => {
    expect(await visit(["landsat-ot-l3"])).toEqual({
      code: 2,
      text: `Neither an upstream nor a collection is called "landsat-ot-l3". Did you mean "landsat-ot-l2"?\n${DOCTOR_USAGE}`,
    });
    const option = await visit(["--jsno"]);
    expect([option.code, option.text]).toEqual([2, expect.stringContaining(DOCTOR_USAGE)]);
  });

  test("a collection without an upstream here is something that does not work, and says where it comes from", async () => {
    const { code, text } = await visit(["hls"]);
    expect([code, text]).toEqual([
      1,
      expect.stringContaining(
        "- hls: hls has no upstream here: it comes from lpcloud or pc.\n  To do: Name the address of that upstream: SWATH_UPSTREAMS=lpcloud=https://….",
      ),
    ]);
  });

  test("the process ends with the code: 2 for a wrong setting, 0 where there is nothing but an archive to be made", {
    tags: ["AF13"],
  }, async () => {
    const command = join(import.meta.dirname, "..", "src", "commands", "doctor.ts");
    const run = (environment: Record<string, string>): Promise<readonly [code: unknown, out: string, err: string]> =>
      new Promise((done) => {
        const env = { PATH: process.env.PATH, SWATH_DATA_DIR: folder, ...environment };
        execFile(process.execPath, ["--conditions=@swath/source", command], { env }, (error, out, err) =>
          done([error === null ? 0 : error.code, out, err]),
        );
      });
    const [[wrong, , said], [code, out]] = await Promise.all([run({ PORT: "many" }), run({})]);
    expect([wrong, said]).toEqual([2, expect.stringContaining('swath: PORT="many"')]);
    expect([code, out]).toEqual([0, expect.stringMatching(/All well \(\d+\.\d\d s\)\.\n$/)]);
  });

  test("collection files that cannot be used are thrown before anything is asked", async () => {
    await writeFile(join(folder, "bad.json"), "{}");
    await expect(visit([], { SWATH_COLLECTIONS_DIR: folder })).rejects.toMatchObject({ name: "EnvironmentError" });
    await rm(join(folder, "bad.json"));
    expect(upstream.requests).toEqual({ search: 0, asset: 0, other: 0, bytes: 0 });
  });
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
  await expect(ask()).rejects.toThrow("more than 1 requests are not sent here");
  bounded.allow(10);
  await ask();
  await ask();
  await expect(ask()).rejects.toThrow("more than 3 requests");
  expect([sent.length, bounded.requests, bounded.left, bounded.refused, bounded.bytes]).toEqual([3, 3, 0, 2, 15]);
});

test("text of others is shown without secrets, queries of addresses, users in them and control characters", () => {
  const plain = plainText(parseEnvironment({ ...variables(), EARTHDATA_TOKEN: "tok/en+1234" }));
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
  expect(fileWords(error, () => undefined)).toEqual({
    detail: "s3://b/k: the server answered 301. The bucket is in af-south-1.",
    advice:
      "Name the region of the bucket in `storage.buckets` of the collection file, or in AWS_REGION where no file names the bucket.",
  });
});

describe("at start", () => {
  const lines: [unknown, string][] = [];
  const log = { warn: (facts: unknown, line: string) => lines.push([facts, line]) } as unknown as Parameters<
    typeof reportFailingUpstreams
  >[2]["log"];
  const report = (more: Record<string, string>, signal = new AbortController().signal): Promise<void> => {
    const environment = parseEnvironment({ ...variables(), ...more });
    return reportFailingUpstreams(environment, openFiles(environment), { log, signal });
  };
  afterEach(() => {
    lines.length = 0;
  });

  test("an upstream that fails is one line in the same words, one that answers is none", {
    tags: ["AF15"],
  }, async () => {
    const port = await freePort();
    await report({ SWATH_UPSTREAMS: `own=http://127.0.0.1:${port}` });
    expect(lines).toEqual([
      [
        { upstream: "own" },
        `own, landing page: The upstream did not answer: connect ECONNREFUSED 127.0.0.1:${port}. To do: Look whether the address in SWATH_UPSTREAMS is right, and whether this machine reaches 127.0.0.1:${port} (names, proxy, firewall).`,
      ],
    ]);
    expect(upstream.requests).toMatchObject({ search: 0, asset: 0, other: 1 });
  });

  test("a stop ends it, without a line", { tags: ["AF15"] }, async () => {
    fault = () => new Promise(() => {});
    const stop = new AbortController();
    const done = report({}, stop.signal);
    stop.abort();
    await done;
    expect(lines).toEqual([]);
  });
});
