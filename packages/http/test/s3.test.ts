import { expect, onTestFinished, test, vi } from "vitest";
import { presignS3, s3Url, signS3 } from "../src/s3.ts";

const credentials = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
};

test.each([
  { bucket: "b", key: "a/b c.tif", url: "https://b.s3.eu-west-1.amazonaws.com/a/b%20c.tif" },
  { bucket: "with.dot", key: "(1).tif", url: "https://s3.eu-west-1.amazonaws.com/with.dot/%281%29.tif" },
  { bucket: "b", key: "k", endpoint: "http://127.0.0.1:9000/", url: "http://127.0.0.1:9000/b/k" },
])("the address of $key in $bucket is $url", ({ url, key, ...bucket }) => {
  expect(s3Url({ region: "eu-west-1", ...bucket }, key)).toBe(url);
});

test.each(["", "default"])("the region %j is us-east-1 at Amazon, and what it says elsewhere", async (region) => {
  const url = s3Url({ bucket: "b", region }, "k");
  expect(url).toBe("https://b.s3.us-east-1.amazonaws.com/k");
  expect(s3Url({ bucket: "with.dot", region }, "k")).toBe("https://s3.us-east-1.amazonaws.com/with.dot/k");
  const scopeAt = async (address: string) =>
    /Credential=[^/]+\/\d+\/([^/]*)/.exec(
      String((await signS3({ method: "GET", url: address, headers: {} }, credentials, region)).authorization),
    )?.[1];
  expect(await scopeAt(url)).toBe("us-east-1");
  expect(await presignS3(`${url}?X-Amz-Expires=60`, credentials, region)).toContain("us-east-1%2Fs3%2Faws4_request");
  if (region !== "") expect(await scopeAt("https://s3.example/b/k")).toBe(region);
});

test("parameters of the query are encoded as they are signed", () => {
  expect(s3Url({ bucket: "b", region: "r" }, "", { prefix: "a/b c", uploads: "" })).toBe(
    "https://b.s3.r.amazonaws.com/?prefix=a%2Fb%20c&uploads=",
  );
});

// Amazon's own example: "Signature Calculations for the Authorization Header", GET Object with a Range
test("the signature of Amazon's published example comes out", async () => {
  vi.useFakeTimers({ now: Date.parse("2013-05-24T00:00:00Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const signed = await signS3(
    {
      method: "GET",
      url: "https://examplebucket.s3.amazonaws.com/test.txt",
      headers: {
        range: "bytes=0-9",
        "x-amz-content-sha256": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
      },
    },
    credentials,
    "us-east-1",
  );
  expect(signed.authorization).toContain("f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
});

test("a presigned address carries its signature and its life in the query", async () => {
  const url = new URL(await presignS3("https://b.s3.r.amazonaws.com/k?X-Amz-Expires=60", credentials, "r"));
  expect(Object.fromEntries(url.searchParams)).toMatchObject({ "X-Amz-Expires": "60", "X-Amz-SignedHeaders": "host" });
  expect(url.searchParams.get("X-Amz-Signature")).toMatch(/^[0-9a-f]{64}$/);
});
