import { afterEach, expect, test } from "vitest";
import { s3Source } from "../../src/node.ts";
import { type Served, sendRange, serve } from "../http-server.ts";

const bytes = Uint8Array.from({ length: 1000 }, (_, i) => i % 251);
const credentials = { accessKeyId: "AKIDEXAMPLE", secretAccessKey: "secret", sessionToken: "token" };
let served: Served | undefined;

afterEach(async () => {
  await served?.close();
  served = undefined;
});

test("requests are signed, range and payer among the signed headers", async () => {
  served = await serve((request, response) => sendRange(request, response, bytes));
  const source = s3Source("s3://usgs-landsat/a b/c+d.TIF", { endpoint: served.url, credentials, requesterPays: true });
  expect(await source.read(10, 20)).toEqual(bytes.slice(10, 30));
  const [request] = served.requests;
  expect(request!.path).toBe("/usgs-landsat/a%20b/c%2Bd.TIF");
  expect(request!.headers["x-amz-request-payer"]).toBe("requester");
  expect(request!.headers["x-amz-security-token"]).toBe("token");
  const { authorization } = request!.headers;
  expect(authorization).toContain("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/");
  expect(authorization).toContain("/us-west-2/s3/aws4_request");
  for (const name of ["host", "range", "x-amz-date", "x-amz-request-payer", "x-amz-security-token"]) {
    expect(authorization).toMatch(new RegExp(`SignedHeaders=[^,]*\\b${name}\\b`));
  }
});

test("without credentials a request is anonymous", async () => {
  served = await serve((request, response) => sendRange(request, response, bytes));
  await s3Source("s3://bucket/key", { endpoint: served.url }).read(0, 10);
  expect(served.requests[0]!.headers.authorization).toBeUndefined();
});

test.each([
  {
    url: "s3://usgs-landsat/collection02/x.TIF",
    host: "https://usgs-landsat.s3.us-west-2.amazonaws.com/collection02/x.TIF",
  },
  { url: "s3://a.b/x", host: "https://s3.us-west-2.amazonaws.com/a.b/x" },
])("$url is requested at $host", async ({ url, host }) => {
  const asked: string[] = [];
  const source = s3Source(url, {
    fetch: async (input) => {
      asked.push(String(input));
      return new Response(null, { status: 404 });
    },
  });
  await expect(source.read(0, 1)).rejects.toMatchObject({ code: "not-found" });
  expect(asked).toEqual([host]);
});

test("what is not an s3 address is a TypeError", () => {
  expect(() => s3Source("https://example.com/x")).toThrow(TypeError);
});

/** A service of S3 whose bucket is in another region than it is asked in. */
function regional(region: string) {
  const asked: string[] = [];
  const fetch = async (input: string | URL, init?: RequestInit): Promise<Response> => {
    const { host } = new URL(input);
    const scope = /Credential=[^/]+\/\d+\/([^/]+)\//.exec(new Headers(init?.headers).get("authorization") ?? "")?.[1];
    asked.push(`${host} ${scope ?? "unsigned"}`);
    if (host === `files.s3.${region}.amazonaws.com`) {
      return new Response(bytes.slice(0, 10), { status: 206, headers: { "content-range": "bytes 0-9/1000" } });
    }
    const headers = { "content-type": "application/xml", "x-amz-bucket-region": region };
    return new Response("<Error><Code>PermanentRedirect</Code></Error>", { status: 301, headers });
  };
  return { asked, fetch };
}

test("a bucket is asked in the region that S3 names, by all its files, after one refusal", async () => {
  const { asked, fetch } = regional("eu-central-1");
  const knownRegions = new Map<string, string>();
  const source = s3Source("s3://files/a.tif", { fetch, credentials, region: "us-west-2", knownRegions });
  await source.read(0, 10);
  await source.read(0, 10);
  await s3Source("s3://files/b.tif", { fetch, region: "us-west-2", knownRegions }).read(0, 10);
  expect(asked).toEqual([
    "files.s3.us-west-2.amazonaws.com us-west-2",
    "files.s3.eu-central-1.amazonaws.com eu-central-1",
    "files.s3.eu-central-1.amazonaws.com eu-central-1",
    "files.s3.eu-central-1.amazonaws.com unsigned",
  ]);
});

test("a bucket that is in no region it is asked in is an error after two requests", async () => {
  const asked: string[] = [];
  const fetch = async (input: string | URL): Promise<Response> => {
    asked.push(new URL(input).host);
    const headers = { "x-amz-bucket-region": asked.length % 2 === 1 ? "eu-central-1" : "us-west-2" };
    return new Response("<Error><Code>PermanentRedirect</Code></Error>", { status: 301, headers });
  };
  const knownRegions = new Map<string, string>();
  const read = s3Source("s3://files/a.tif", { fetch, region: "us-west-2", knownRegions }).read(0, 10);
  await expect(read).rejects.toMatchObject({ code: "wrong-region", region: "us-west-2" });
  expect(knownRegions.size).toBe(0);
  expect(asked).toEqual(["files.s3.us-west-2.amazonaws.com", "files.s3.eu-central-1.amazonaws.com"]);
});
