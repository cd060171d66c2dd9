import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "JOB_KEPT_MS",
      "JobKinds",
      "JobTimeoutError",
      "QueueFullError",
      "STORE_TABLES",
      "StoreError",
      "answerWithin",
      "findJob",
      "isUnfinished",
      "jobCounts",
      "keepSetting",
      "migrate",
      "readSetting",
      "startJobRunner",
      "storedJobs",
      "watchedQueue",
      "writeSetting",
    ]
  `);
});

test("the Node entry exports these names", async () => {
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "installationSecret",
      "openPostgresStore",
      "openSqliteStore",
      "openStore",
      "secretFile",
      "secretFor",
    ]
  `);
});
