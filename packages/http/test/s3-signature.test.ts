import { AwsV4Signer } from "aws4fetch";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type S3Server, startS3Server } from "../../../test/tools/s3-server.ts";
import { canonicalRequest, sha256, signatureOf, verify } from "../../../test/tools/s3-signature.ts";

// examples of "Signature Calculations for the Authorization Header" and "Authenticating Requests: Using Query
// Parameters" in the Amazon S3 API reference, version 2006-03-01
const ACCOUNT = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY" };
const TIME = "20130524T000000Z";
const SCOPE = "20130524/us-east-1/s3/aws4_request";
const HOST = "examplebucket.s3.amazonaws.com";
const EMPTY = sha256("");

const VECTORS = [
  {
    name: "GET with a range",
    method: "GET",
    target: "/test.txt",
    headers: { host: HOST, range: "bytes=0-9", "x-amz-content-sha256": EMPTY, "x-amz-date": TIME },
    signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
  },
  {
    name: "PUT of an object with a dollar sign",
    method: "PUT",
    target: "/test$file.text",
    headers: {
      date: "Fri, 24 May 2013 00:00:00 GMT",
      host: HOST,
      "x-amz-content-sha256": sha256("Welcome to Amazon S3."),
      "x-amz-date": TIME,
      "x-amz-storage-class": "REDUCED_REDUNDANCY",
    },
    signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
  },
  {
    name: "a query parameter without a value",
    method: "GET",
    target: "/?lifecycle",
    headers: { host: HOST, "x-amz-content-sha256": EMPTY, "x-amz-date": TIME },
    signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
  },
  {
    name: "a listing",
    method: "GET",
    target: "/?prefix=J&max-keys=2",
    headers: { host: HOST, "x-amz-content-sha256": EMPTY, "x-amz-date": TIME },
    signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
  },
];

test.each(VECTORS)("the signature of $name is the published one", ({ method, target, headers, signature }) => {
  const payload = headers["x-amz-content-sha256"];
  const names = Object.keys(headers).sort();
  const canonical = canonicalRequest({ method, target, headers }, names, payload);
  expect(signatureOf(canonical, TIME, SCOPE, ACCOUNT.secretAccessKey)).toBe(signature);
  const authorization = `AWS4-HMAC-SHA256 Credential=${ACCOUNT.accessKeyId}/${SCOPE},SignedHeaders=${names.join(";")},Signature=${signature}`;
  const signed = { method, target, headers: { ...headers, authorization } };
  const at = Date.UTC(2013, 4, 24);
  expect(verify(signed, ACCOUNT, "us-east-1", at)).toEqual({ good: true, payloadHash: payload });
  expect(verify(signed, ACCOUNT, "us-east-1", at + 16 * 60_000)).toMatchObject({ code: "RequestTimeTooSkewed" });
  expect(verify({ ...signed, method: "DELETE" }, ACCOUNT, "us-east-1", at)).toMatchObject({
    code: "SignatureDoesNotMatch",
  });
  const more = { ...signed, headers: { ...signed.headers, "x-amz-request-payer": "requester" } };
  expect(verify(more, ACCOUNT, "us-east-1", at)).toMatchObject({ code: "AccessDenied" });
});

test("a presigned link has the published signature, and ends", () => {
  const target = `/test.txt?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=${encodeURIComponent(`${ACCOUNT.accessKeyId}/${SCOPE}`)}&X-Amz-Date=${TIME}&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404`;
  const request = { method: "GET", target, headers: { host: HOST } };
  const at = Date.UTC(2013, 4, 24);
  expect(verify(request, ACCOUNT, "us-east-1", at + 86_399_000)).toMatchObject({ good: true });
  expect(verify(request, ACCOUNT, "us-east-1", at + 86_401_000)).toMatchObject({ good: false });
  const longer = { ...request, target: target.replace("86400", "604800") };
  expect(verify(longer, ACCOUNT, "us-east-1", at)).toMatchObject({ code: "SignatureDoesNotMatch" });
});

let server: S3Server;
beforeAll(async () => {
  server = await startS3Server({
    requesterPays: ["paid"],
    lookUp: async (_, key) => (key === "a b.tif" ? Buffer.from("0123456789") : undefined),
  });
});
afterAll(() => server.close());

async function ask(
  path: string,
  headers: Record<string, string>,
  secret = server.account.secretAccessKey,
): Promise<Response> {
  const signer = new AwsV4Signer({
    url: `${server.endpoint}${path}`,
    headers,
    accessKeyId: server.account.accessKeyId,
    secretAccessKey: secret,
    service: "s3",
    region: server.region,
    allHeaders: true,
  });
  const signed = await signer.sign();
  return fetch(signed.url, { headers: signed.headers });
}

test("the server refuses anonymous readers, wrong secrets, and readers who do not pay", async () => {
  const payer = { "x-amz-request-payer": "requester" };
  expect((await fetch(`${server.endpoint}/paid/a%20b.tif`)).status).toBe(403);
  expect((await ask("/paid/a%20b.tif", payer, "wrong")).status).toBe(403);
  expect((await ask("/paid/a%20b.tif", {})).status).toBe(403);
  const good = await ask("/paid/a%20b.tif", { ...payer, Range: "bytes=2-4" });
  expect([good.status, await good.text()]).toEqual([206, "234"]);
  expect(server.records.map(({ verdict }) => verdict)).toEqual([
    "AccessDenied",
    "SignatureDoesNotMatch",
    "AccessDenied",
    "ok",
  ]);
});
