import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "JOB_KEPT_MS",
      "JobKinds",
      "JobTimeoutError",
      "QueueFullError",
      "ResultStoreError",
      "STORE_TABLES",
      "StoreError",
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
      "LINK_SECONDS",
      "installationSecret",
      "linkSigner",
      "openPostgresStore",
      "openResultFolder",
      "openResults",
      "openSqliteStore",
      "openStore",
      "secretFile",
      "secretFor",
    ]
  `);
});
