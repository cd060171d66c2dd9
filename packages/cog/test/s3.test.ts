import { afterEach, expect, test } from "vitest";
import { s3Source } from "../src/node.ts";
import { type Served, sendRange, serve } from "./http-server.ts";

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
