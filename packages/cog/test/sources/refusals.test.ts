import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CogError, httpSource } from "../../src/index.ts";
import { s3Source } from "../../src/node.ts";
import { fixtures } from "../fixtures.ts";

/** The error of a read that is answered so each time, and how often was asked. */
async function refusal(
  status: number,
  headers: Record<string, string>,
  body: string | null,
  url = "https://files.example/a.tif",
): Promise<CogError & { asked: number }> {
  let asked = 0;
  const fetch = async (): Promise<Response> => {
    asked += 1;
    return new Response(body, { status, headers });
  };
  const options = { fetch, backoffMs: 1, checkUrl: () => {} };
  const source = url.startsWith("s3:") ? s3Source(url, options) : httpSource(url, options);
  const error: unknown = await source.read(0, 16_384).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CogError);
  return Object.assign(error as CogError, { asked });
}

interface Recorded {
  readonly request: { readonly url: string };
  readonly response: { readonly status: number; readonly headers: Record<string, string>; readonly body: unknown };
}

const folder = fixtures === undefined ? undefined : join(fixtures, "live", "errors");
const title = folder === undefined ? "recorded refusals (skipped: SWATH_FIXTURES is not set)" : "recorded refusals";
describe.skipIf(folder === undefined)(title, () => {
  test.each([
    { name: "azure-blob-unsigned-409", code: "unauthorized", asked: 1 },
    { name: "azure-blob-token-expired-403", code: "unauthorized", asked: 1 },
    { name: "azure-blob-missing-404", code: "not-found", asked: 1 },
    { name: "azure-blob-egress-limit-503", code: "unavailable", asked: 4 },
    { name: "s3-slow-down-503", code: "unavailable", asked: 4 },
    { name: "s3-missing-key-404", code: "not-found", asked: 1 },
    { name: "usgs-landsatlook-login-html", code: "unauthorized", asked: 1 },
  ])("$name is $code after $asked requests", async ({ name, code, asked }) => {
    const { request, response } = JSON.parse(readFileSync(join(folder ?? "", `${name}.json`), "utf8")) as Recorded;
    const error = await refusal(
      response.status,
      response.headers,
      response.body as string | null,
      request.url.split("?")[0],
    );
    expect(error).toMatchObject({ code, asked, lasting: code === "not-found" });
  });

  test("a bucket of an opt-in region that was asked in another one is named with its region", async () => {
    const file = readFileSync(join(folder ?? "", "s3-wrong-region-400.json"), "utf8");
    const { response } = JSON.parse(file) as Recorded;
    const error = await refusal(response.status, response.headers, String(response.body));
    expect(error).toMatchObject({ code: "wrong-region", region: "af-south-1", asked: 1 });
    expect(error.message).toContain("The bucket is in af-south-1.");
  });
});

const XML = { "content-type": "application/xml" };
const errorXml = (code: string, rest = ""): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code>${rest}<RequestId>X</RequestId></Error>`;

// bodies as the Amazon S3 API reference gives them
test.each([
  {
    what: "a signature for another region",
    status: 400,
    body: errorXml(
      "AuthorizationHeaderMalformed",
      "<Message>The authorization header is malformed; the region 'us-west-2' is wrong; expecting 'eu-central-1'</Message><Region>eu-central-1</Region>",
    ),
  },
  {
    what: "a signature for another region, in words alone",
    status: 400,
    body: errorXml(
      "AuthorizationHeaderMalformed",
      "<Message>The authorization header is malformed; the region 'us-west-2' is wrong; expecting 'eu-central-1'</Message>",
    ),
  },
  {
    what: "another endpoint, by its header",
    status: 301,
    headers: { "x-amz-bucket-region": "eu-central-1" },
    body: errorXml("PermanentRedirect"),
  },
  {
    what: "another endpoint, by its name",
    status: 301,
    body: errorXml("PermanentRedirect", "<Endpoint>copernicus-dem-30m.s3.eu-central-1.amazonaws.com</Endpoint>"),
  },
])("$what names the bucket's region", { tags: ["AF3"] }, async ({ status, headers, body }) => {
  const error = await refusal(status, { ...XML, ...headers }, body);
  expect(error).toMatchObject({ code: "wrong-region", region: "eu-central-1" });
});

test("a region that is no name of one is not taken from an answer", async () => {
  const headers = { ...XML, "x-amz-bucket-region": "evil.example/x?" };
  expect(await refusal(301, headers, errorXml("PermanentRedirect"))).toMatchObject({ code: "forbidden" });
});

test.each([
  { status: 401, body: "", code: "unauthorized" },
  { status: 403, body: errorXml("InvalidAccessKeyId"), code: "unauthorized" },
  { status: 403, body: errorXml("SignatureDoesNotMatch"), code: "unauthorized" },
  { status: 403, body: errorXml("RequestTimeTooSkewed"), code: "unauthorized" },
  { status: 400, body: errorXml("ExpiredToken"), code: "unauthorized" },
  { status: 403, body: errorXml("AccessDenied", "<Message>Request has expired</Message>"), code: "unauthorized" },
  { status: 403, body: errorXml("AccessDenied", "<Message>Access Denied</Message>"), code: "forbidden" },
  { status: 409, body: errorXml("Conflict"), code: "forbidden" },
  { status: 400, body: errorXml("RequestTimeout"), code: "unavailable" },
])("$status $body is $code", async ({ status, body, code }) => {
  expect(await refusal(status, XML, body)).toMatchObject({ code });
});

test("a page without a media type is known by how it begins, and bytes of a TIFF are none", {
  tags: ["AF11"],
}, async () => {
  const page = " \n<!doctype HTML>\n<html><body>Sign In</body></html>";
  expect(await refusal(200, {}, page)).toMatchObject({ code: "unauthorized" });
  const tiff = new Uint8Array([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  const fetch = async (): Promise<Response> => new Response(tiff, { status: 200 });
  expect(await httpSource("https://files.example/a.tif", { fetch }).read(0, 100)).toEqual(tiff);
});

test.each([
  { header: "7", retryAfter: 7, asked: 1 },
  { header: "600", retryAfter: 600, asked: 1 },
  { header: "0", retryAfter: 0, asked: 4 },
  { header: "soon", retryAfter: undefined, asked: 4 },
])(
  "Retry-After $header: asked $asked times, and the error says for how long",
  async ({ header, retryAfter, asked }) => {
    const error = await refusal(503, { "retry-after": header }, "");
    expect([error.code, error.retryAfter, error.asked]).toEqual(["unavailable", retryAfter, asked]);
  },
);

test("a date in Retry-After is read too", async () => {
  const date = new Date(Math.floor(Date.now() / 1000) * 1000 + 61_000);
  const secondsLeft = (): number => Math.ceil((date.getTime() - Date.now()) / 1000);
  const most = secondsLeft();
  const { retryAfter } = await refusal(429, { "retry-after": date.toUTCString() }, "");
  expect(retryAfter).toBeGreaterThanOrEqual(secondsLeft());
  expect(retryAfter).toBeLessThanOrEqual(most);
});
