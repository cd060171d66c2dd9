import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { assetCredentials } from "../src/render/asset-credentials.ts";
import { createUrlSigner } from "../src/render/signed-urls.ts";
import { createSources } from "../src/render/sources.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closers.splice(0).map((close) => close()));
});

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** A loopback server that keeps what it was asked. */
async function serve(answer: (request: IncomingMessage, count: number) => Answer) {
  const seen: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    seen.push({ url: request.url ?? "", authorization: request.headers.authorization });
    const { status, headers = {}, body = "" } = answer(request, seen.length);
    response.writeHead(status, headers);
    response.end(body);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  closers.push(
    () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  );
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { host, url: `http://${host}`, seen };
}

const FILE: Answer = { status: 206, headers: { "Content-Range": "bytes 0-3/4" }, body: "abcd" };
const s3 = { region: "us-west-2" } as const;

test("an Earthdata token goes to its host, and not to the one that a redirect leads to", async () => {
  const storage = await serve(() => FILE);
  const earthdata = await serve(() => ({ status: 303, headers: { Location: `${storage.url}/signed` } }));
  const sources = createSources({
    assetHosts: [earthdata.host, storage.host],
    s3,
    credentials: { earthdata: { token: "secret", hosts: [earthdata.host] } },
  });
  const bytes = await sources(`${earthdata.url}/B04.tif`).read(0, 4);
  expect(new TextDecoder().decode(bytes)).toBe("abcd");
  expect(earthdata.seen).toEqual([{ url: "/B04.tif", authorization: "Bearer secret" }]);
  expect(storage.seen).toEqual([{ url: "/signed", authorization: undefined }]);
});

test.each([
  { href: "https://data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: true },
  { href: "http://data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: false },
  { href: "https://data.lpdaac.earthdatacloud.nasa.gov:8443/a.tif", has: false },
  { href: "https://earthdatacloud.nasa.gov.example.org/a.tif", has: false },
  { href: "https://data.earthdatacloud.nasa.gov@example.org/a.tif", has: false },
  { href: "https://xearthdatacloud.nasa.gov/a.tif", has: false },
  { href: "https://user:pass@data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: false },
  { href: "https://example.org/data.lpdaac.earthdatacloud.nasa.gov/a.tif", has: false },
  { href: "s3://lp-prod-protected/a.tif", has: false },
])("the token of Earthdata is sent to $href: $has", ({ href, has }) => {
  const credentials = assetCredentials({ earthdata: { token: "secret" } })(href);
  expect(credentials).toEqual(has ? { headers: { Authorization: "Bearer secret" } } : {});
});

test("no credential is sent where none is configured", () => {
  expect(assetCredentials({})("https://data.lpdaac.earthdatacloud.nasa.gov/a.tif")).toEqual({});
  expect(assetCredentials({})("https://sentinel1euwestrtc.blob.core.windows.net/c/a.tif")).toEqual({});
});

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString();

test("files of Planetary Computer are read with a signature that appears in no name, and one token serves a container", async () => {
  const storage = await serve((request) => (request.url?.includes("sig=") ? FILE : { status: 409 }));
  const tokens = await serve(() => ({
    status: 200,
    body: JSON.stringify({ "msft:expiry": inAnHour(), token: "se=2030&sig=abc%2F" }),
  }));
  const records: string[] = [];
  const sources = createSources({
    assetHosts: [storage.host],
    s3,
    onRead: ({ url }) => records.push(url),
    credentials: { planetaryComputer: { tokenUrl: `${tokens.url}/token`, hosts: [storage.host] } },
  });
  const first = sources(`${storage.url}/grd/vv.tif`);
  await Promise.all([first.read(0, 4), sources(`${storage.url}/grd/vh.tif`).read(0, 4)]);
  await first.read(0, 2).catch(() => undefined);
  expect(tokens.seen.map(({ url }) => url)).toEqual(["/token/127/grd"]);
  expect(
    storage.seen
      .map(({ url }) => url)
      .sort()
      .slice(0, 1),
  ).toEqual(["/grd/vh.tif?se=2030&sig=abc%2F"]);
  expect(first.key).toBe(`${storage.url}/grd/vv.tif`);
  expect(records.join(" ")).not.toContain("sig");
});

test("a signature is not carried to the host of a redirect, and errors do not hold it", async () => {
  const other = await serve(() => FILE);
  const storage = await serve((request) =>
    request.url?.startsWith("/c/gone")
      ? { status: 404 }
      : { status: 302, headers: { Location: `${other.url}/elsewhere` } },
  );
  const tokens = await serve(() => ({
    status: 200,
    body: JSON.stringify({ "msft:expiry": inAnHour(), token: "sig=abc" }),
  }));
  const sources = createSources({
    assetHosts: [storage.host, other.host],
    s3,
    credentials: { planetaryComputer: { tokenUrl: `${tokens.url}/token`, hosts: [storage.host] } },
  });
  await sources(`${storage.url}/c/vv.tif`).read(0, 4);
  expect(other.seen).toEqual([{ url: "/elsewhere", authorization: undefined }]);
  const error: unknown = await sources(`${storage.url}/c/gone.tif`)
    .read(0, 4)
    .catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: "not-found" });
  expect(String(error)).not.toContain("sig");
});

test("a refused token is asked for again, once", async () => {
  const tokens = await serve((_, count) => ({
    status: 200,
    body: JSON.stringify({ "msft:expiry": inAnHour(), token: `sig=${count}` }),
  }));
  const storage = await serve((request) => (request.url?.endsWith("sig=2") ? FILE : { status: 403 }));
  const settings = { planetaryComputer: { tokenUrl: `${tokens.url}/token`, hosts: [storage.host] } };
  const sources = createSources({ assetHosts: [storage.host], s3, credentials: settings });
  await sources(`${storage.url}/c/vv.tif`).read(0, 4);
  expect(storage.seen.map(({ url }) => url)).toEqual(["/c/vv.tif?sig=1", "/c/vv.tif?sig=2"]);
});

test("a token is replaced a minute before it expires", async () => {
  let now = Date.parse("2026-01-01T00:00:00Z");
  const tokens = await serve((_, count) => ({
    status: 200,
    body: JSON.stringify({ "msft:expiry": new Date(now + 600_000).toISOString(), token: `sig=${count}` }),
  }));
  const signer = createUrlSigner(`${tokens.url}/token`, () => now);
  const file = new URL("https://account.blob.core.windows.net/container/a.tif?x=1");
  const signed = async (): Promise<string> => (await signer.sign(file)).href;
  expect(await signed()).toBe("https://account.blob.core.windows.net/container/a.tif?x=1&sig=1");
  now += 500_000;
  expect(await signed()).toContain("sig=1");
  now += 60_000;
  expect(await signed()).toContain("sig=2");
  expect(tokens.seen.map(({ url }) => url)).toEqual(["/token/account/container", "/token/account/container"]);
});
