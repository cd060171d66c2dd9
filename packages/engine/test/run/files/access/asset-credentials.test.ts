import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { defaultRegistry } from "@swath/schema";
import { afterEach, describe, expect, test } from "vitest";
import { type Answer, type Loopback, serveLoopback } from "../../../../../../test/tools/loopback.ts";
import { webCredentials } from "../../../../src/run/files/access/asset-credentials.ts";
import { findServer, type ServerFacts } from "../../../../src/run/files/access/file-storage.ts";
import { createUrlTokens } from "../../../../src/run/files/access/signed-urls.ts";
import { createSources, type SourceSettings } from "../../../../src/run/files/sources.ts";

const servers: Loopback[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
});
async function serve(answer: (request: IncomingMessage, count: number) => Answer): Promise<Loopback> {
  const server = await serveLoopback(answer);
  servers.push(server);
  return server;
}
/** A server that is called by a name, whose address the test makes public. */
async function serveNamed(answer: (request: IncomingMessage, count: number) => Answer): Promise<Loopback> {
  const server = await serve(answer);
  const [host, url] = [server.host, server.url].map((text) => text.replace("127.0.0.1", "localhost"));
  return { ...server, host: host ?? "", url: url ?? "" };
}

const FILE: Answer = { status: 206, headers: { "Content-Range": "bytes 0-3/4" }, body: "abcd" };
const redirect = (to: string, status = 303): Answer => ({ status, headers: { Location: to } });
const s3 = { region: "us-west-2" } as const;
const sourcesOf = (servers: readonly ServerFacts[], settings: Partial<SourceSettings>) =>
  createSources({ assetHosts: [], s3, storage: { buckets: [], servers }, ...settings });
const inAnHour = (): number => Math.floor(Date.now() / 1000) + 3600;

describe("a host that wants a token of Earthdata", () => {
  /** A front door, the storage behind it, which refuses any second token, and a page where people log in. */
  async function archive(query: () => string, settings: { token?: string; redirectHosts?: boolean } = {}) {
    const storage = await serveNamed(({ headers }) => (headers.authorization === undefined ? FILE : { status: 400 }));
    const login = await serveNamed(() => ({
      status: 200,
      headers: { "Content-Type": "text/html" },
      body: "<html>Log in",
    }));
    const front = await serve(({ headers }) =>
      headers.authorization === "Bearer secret"
        ? redirect(`${storage.url}/signed.tif?${query()}`)
        : redirect(`${login.url}/oauth/authorize?state=x`, 302),
    );
    const facts: ServerFacts = {
      host: front.host,
      token: "earthdata",
      loginHosts: [login.host],
      ...(settings.redirectHosts === false ? {} : { redirectHosts: [storage.host] }),
    };
    const { token = "secret" } = settings;
    const sources = sourcesOf([facts], {
      assetHosts: [front.host],
      // the stand-ins are on this machine
      resolve: async () => ["8.8.8.8"],
      ...(token === "" ? {} : { credentials: { earthdata: { token, within: [front.host] } } }),
    });
    return { storage, login, front, source: sources(`${front.url}/B04.tif`), sources };
  }

  test.each([
    {
      what: "a signed address of CloudFront",
      query: () => `A-userid=x&Expires=${inAnHour()}&Signature=s&Key-Pair-Id=k`,
    },
    { what: "signed S3", query: () => `X-Amz-Date=20991231T000000Z&X-Amz-Expires=3600&X-Amz-Signature=s` },
  ])(
    "redirects to $what, which gets no token and is asked directly from then on",
    { tags: ["FC3"] },
    async ({ query }) => {
      const { storage, front, source } = await archive(query);
      for (let i = 0; i < 3; i++) expect(Buffer.from(await source.read(0, 4)).toString()).toBe("abcd");
      expect(front.seen).toEqual([{ url: "/B04.tif", authorization: "Bearer secret" }]);
      expect(storage.seen.map(({ authorization }) => authorization)).toEqual([undefined, undefined, undefined]);
    },
  );

  test("redirects to the login page without a token: it is not followed, and the token is missing", async () => {
    const { login, source } = await archive(() => "", { token: "" });
    await expect(source.read(0, 4)).rejects.toMatchObject({
      code: "unauthorized",
      credential: "earthdata",
      fault: "missing",
      message: expect.stringContaining("EARTHDATA_TOKEN"),
    });
    expect(login.seen).toEqual([]);
  });

  test("redirects to the login page with an expired token, which is named, and is not told", {
    tags: ["AF5"],
  }, async () => {
    const { login, source } = await archive(() => "", { token: "expired-token" });
    const error: unknown = await source.read(0, 4).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "unauthorized", credential: "earthdata", fault: "refused" });
    expect(String(error)).not.toContain("expired-token");
    expect(login.seen).toEqual([]);
  });

  test("may not redirect to a host that no collection file names", async () => {
    const { storage, source } = await archive(() => "x=1", { redirectHosts: false });
    await expect(source.read(0, 4)).rejects.toMatchObject({ code: "forbidden", lasting: false });
    expect(storage.seen).toEqual([]);
  });

  test("may not redirect to a named host that turns out to be private", { tags: ["AF5"] }, async () => {
    const inside = await serveNamed(() => FILE);
    const front = await serve(() => redirect(`${inside.url}/x`));
    const facts = { host: front.host, redirectHosts: [inside.host] };
    const settings = { assetHosts: [front.host], resolve: async () => ["127.0.0.1"] };
    const source = sourcesOf([facts], settings)(`${front.url}/a.tif`);
    await expect(source.read(0, 4)).rejects.toMatchObject({ code: "forbidden", lasting: false });
    expect(inside.seen).toEqual([]);
  });

  test("does not open the hosts of its redirects to items", async () => {
    const { storage, sources } = await archive(() => "x=1");
    expect(() => sources(`${storage.url}/signed.tif`)).toThrow("may not be read");
  });
});

const fixtures = process.env.SWATH_FIXTURES;
const title = fixtures === undefined ? "recorded redirects (skipped: SWATH_FIXTURES is not set)" : "recorded redirects";
describe.skipIf(fixtures === undefined)(title, () => {
  /** LP DAAC as it was recorded, and storage behind it that refuses any second token. */
  function replayed(name: string, token: string | undefined) {
    const file = join(fixtures ?? "", "live", "errors", `lp-daac-${name}.json`);
    const { request, response } = JSON.parse(readFileSync(file, "utf8")) as {
      request: { url: string };
      response: { status: number; headers: Record<string, string> };
    };
    const seen: { host: string; authorization: string | null }[] = [];
    const fetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
      const { host } = new URL(input);
      const authorization = new Headers(init?.headers).get("authorization");
      seen.push({ host, authorization });
      if (host === new URL(request.url).host) return new Response(null, response);
      if (authorization !== null) return new Response("", { status: 403 });
      return new Response("abcd", { status: 206, headers: { "Content-Range": "bytes 0-3/4" } });
    };
    const { storage, assetHosts: knownHosts } = defaultRegistry;
    const sources = createSources({
      assetHosts: [],
      knownHosts,
      storage,
      s3,
      fetch,
      resolve: async () => ["8.8.8.8"],
      credentials: token === undefined ? {} : { earthdata: { token } },
    });
    return { seen, read: () => sources(request.url).read(0, 4) };
  }

  test.each([
    { name: "token-303-cloudfront", host: "d1nklfio7vscoe.cloudfront.net" },
    { name: "token-303-signed-s3", host: "lp-prod-protected.s3.us-west-2.amazonaws.com" },
  ])("$name is followed by what the built-in collection says, without the token", async ({ name, host }) => {
    const { seen, read } = replayed(name, "secret");
    expect(Buffer.from(await read()).toString()).toBe("abcd");
    expect(seen).toEqual([
      { host: "data.lpdaac.earthdatacloud.nasa.gov", authorization: "Bearer secret" },
      { host, authorization: null },
    ]);
  });

  test.each([
    { token: undefined, fault: "missing" },
    { token: "expired", fault: "refused" },
  ])("no-token-302 is no file: the token is $fault", async ({ token, fault }) => {
    const { seen, read } = replayed("no-token-302", token);
    await expect(read()).rejects.toMatchObject({ code: "unauthorized", credential: "earthdata", fault });
    expect(seen).toHaveLength(1);
  });
});

test.each([
  "http://169.254.169.254/latest/meta-data",
  "http://[::1]/x",
  "file:///etc/passwd",
  "http://user:pass@127.0.0.1/x",
  "//10.0.0.1/x",
  "http://127.0.0.1:1/x",
  "gopher://127.0.0.1/x",
])("an open redirect to %s leads nowhere", { tags: ["AF5"] }, async (target) => {
  const front = await serve(() => redirect(target, 302));
  const facts = { host: front.host, redirectHosts: ["*.cloudfront.net"] };
  const source = sourcesOf([facts], { assetHosts: [front.host] })(`${front.url}/a.tif`);
  await expect(source.read(0, 4)).rejects.toMatchObject({ code: "forbidden" });
  expect(front.seen).toHaveLength(1);
});

const LPDAAC: ServerFacts = { host: "data.lpdaac.earthdatacloud.nasa.gov", token: "earthdata" };
test.each([
  { href: "https://data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: true },
  { href: "http://data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: false },
  { href: "https://data.lpdaac.earthdatacloud.nasa.gov:8443/a.tif", has: false },
  { href: "https://data.lpdaac.earthdatacloud.nasa.gov.example.org/a.tif", has: false },
  { href: "https://data.lpdaac.earthdatacloud.nasa.gov@example.org/a.tif", has: false },
  { href: "https://user:pass@data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: false },
  { href: "https://example.org/data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: false },
  { href: "https://other.earthdatacloud.nasa.gov/a.tif", has: false },
  {
    href: "https://files.example.org/a.tif",
    facts: { host: "files.example.org", token: "earthdata" as const },
    has: false,
  },
])("the token of Earthdata is sent to $href: $has", ({ href, has, facts = LPDAAC }) => {
  const url = new URL(href);
  const storage = { buckets: [], servers: [facts] };
  const options = { settings: { earthdata: { token: "secret" } }, tokens: createUrlTokens() };
  const { headers = {} } = webCredentials(url, findServer(storage, url), options);
  expect(headers).toEqual(has ? { Authorization: "Bearer secret" } : {});
});

test("the built-in collections send the token to LP DAAC alone", () => {
  expect(defaultRegistry.storage.servers.filter(({ token }) => token !== undefined).map(({ host }) => host)).toEqual([
    "data.lpdaac.earthdatacloud.nasa.gov",
  ]);
});

describe("a host whose signatures a token service hands out", () => {
  const tokenAnswer = (query: string): Answer => ({
    status: 200,
    body: JSON.stringify({ "msft:expiry": new Date(Date.now() + 3_600_000).toISOString(), token: query }),
  });
  const facts = (storage: Loopback, tokens: Loopback): ServerFacts => ({
    host: storage.host,
    tokenService: `${tokens.url}/token`,
  });

  test("is read with a signature that appears in no name, and one token serves a container", async () => {
    const storage = await serve((request) => (request.url?.includes("sig=") ? FILE : { status: 409 }));
    const tokens = await serve(() => tokenAnswer("se=2030&sig=abc%2F"));
    const records: string[] = [];
    const sources = sourcesOf([facts(storage, tokens)], {
      assetHosts: [storage.host],
      onRead: ({ url }) => records.push(url),
    });
    const first = sources(`${storage.url}/grd/vv.tif`);
    await Promise.all([first.read(0, 4), sources(`${storage.url}/grd/vh.tif`).read(0, 4)]);
    expect(tokens.seen.map(({ url }) => url)).toEqual(["/token/127/grd"]);
    expect(storage.seen.map(({ url }) => url).sort()).toEqual([
      "/grd/vh.tif?se=2030&sig=abc%2F",
      "/grd/vv.tif?se=2030&sig=abc%2F",
    ]);
    expect(first.key).toBe(`${storage.url}/grd/vv.tif`);
    expect(records.join(" ")).not.toContain("sig");
  });

  test("gets a signature alone: a redirect elsewhere and errors do not hold it", { tags: ["FC3"] }, async () => {
    const other = await serve(() => FILE);
    const storage = await serve((request) =>
      request.url?.startsWith("/c/gone") ? { status: 404 } : redirect(`${other.url}/elsewhere`, 302),
    );
    const tokens = await serve(() => tokenAnswer("sig=abc"));
    const sources = sourcesOf([facts(storage, tokens)], { assetHosts: [storage.host, other.host] });
    await sources(`${storage.url}/c/vv.tif`).read(0, 4);
    expect(other.seen).toEqual([{ url: "/elsewhere", authorization: undefined }]);
    const error: unknown = await sources(`${storage.url}/c/gone.tif`)
      .read(0, 4)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "not-found" });
    expect(String(error)).not.toContain("sig");
  });

  const xml = (status: number, code: string): Answer => ({
    status,
    headers: { "Content-Type": "application/xml" },
    body: `<Error><Code>${code}</Code></Error>`,
  });

  test("whose signature has expired (403) is asked with a new one, once", async () => {
    const tokens = await serve((_, count) => tokenAnswer(`sig=${count}`));
    const storage = await serve((request) =>
      request.url?.endsWith("sig=2") ? FILE : xml(403, "AuthenticationFailed"),
    );
    const sources = sourcesOf([facts(storage, tokens)], { assetHosts: [storage.host] });
    await sources(`${storage.url}/c/vv.tif`).read(0, 4);
    expect(storage.seen.map(({ url }) => url)).toEqual(["/c/vv.tif?sig=1", "/c/vv.tif?sig=2"]);
  });

  test("that refuses every signature is not asked with a new one for each file", async () => {
    const tokens = await serve((_, count) => tokenAnswer(`sig=${count}`));
    const storage = await serve(() => xml(403, "AuthenticationFailed"));
    const sources = sourcesOf([facts(storage, tokens)], { assetHosts: [storage.host] });
    for (const name of ["a", "b", "c", "d"]) {
      await expect(sources(`${storage.url}/c/${name}.tif`).read(0, 4)).rejects.toMatchObject({ code: "unauthorized" });
    }
    expect(tokens.seen).toHaveLength(2);
    expect(storage.seen).toHaveLength(5);
  });

  test("is read without a signature where the service knows none, until the storage wants one (409)", async () => {
    let isKnown = false;
    const tokens = await serve(() => (isKnown ? tokenAnswer("sig=abc") : { status: 404 }));
    const storage = await serve((request) =>
      isKnown && !request.url?.includes("sig=") ? xml(409, "PublicAccessNotPermitted") : FILE,
    );
    const sources = sourcesOf([facts(storage, tokens)], { assetHosts: [storage.host] });
    await sources(`${storage.url}/c/a.tif`).read(0, 4);
    await sources(`${storage.url}/c/b.tif`).read(0, 4);
    expect([tokens.seen.length, storage.seen.map(({ url }) => url)]).toEqual([1, ["/c/a.tif", "/c/b.tif"]]);
    isKnown = true;
    await sources(`${storage.url}/c/c.tif`).read(0, 4);
    expect(storage.seen.slice(2).map(({ url }) => url)).toEqual(["/c/c.tif", "/c/c.tif?sig=abc"]);
  });
});
