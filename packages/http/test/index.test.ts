import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "HttpError",
      "InFlight",
      "Pace",
      "Remembered",
      "TimeLimit",
      "mapLimited",
      "paceState",
      "readBytes",
      "readText",
      "retryAfterSeconds",
      "send",
      "sharedPace",
      "sleepFor",
      "unlessAborted",
      "whenAborted",
      "withRetries",
    ]
  `);
});

test("the S3 entry exports these names", async () => {
  expect(Object.keys(await import("../src/s3.ts")).sort()).toMatchInlineSnapshot(`
    [
      "amazonRegion",
      "encodeS3",
      "presignS3",
      "s3Url",
      "signS3",
    ]
  `);
});
