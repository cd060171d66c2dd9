import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "PARTS_SCHEMA",
      "ResultStoreError",
      "STORE_TABLES",
      "StoreError",
      "claimTurn",
      "keepSetting",
      "migrate",
      "readSetting",
      "sweepObjects",
      "writeSetting",
    ]
  `);
});

test("the entry of jobs exports these names", async () => {
  expect(Object.keys(await import("../src/jobs/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "JOB_KEPT_MS",
      "JobKinds",
      "JobTimeoutError",
      "MAX_JOB_SLOTS",
      "QueueFullError",
      "findJob",
      "isUnfinished",
      "jobCounts",
      "startJobRunner",
      "storedJobs",
      "watchedQueue",
    ]
  `);
});

test("the Node entry exports these names", async () => {
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "LINK_SECONDS",
      "installationSecret",
      "linkSigner",
      "makeFolder",
      "openObjects",
      "openResultFolder",
      "openResults",
      "openSqliteStore",
      "openStore",
      "secretFile",
      "secretFor",
    ]
  `);
});

test("the entry of PostgreSQL exports this name", async () => {
  expect(Object.keys(await import("../src/node/postgres-store.ts"))).toEqual(["openPostgresStore"]);
});

test("the entry of SQLite exports these names", async () => {
  expect(Object.keys(await import("../src/node/sqlite.ts")).sort()).toEqual(["DatabaseSync", "resultCode"]);
});

test("the entry of parts exports these names", async () => {
  expect(Object.keys(await import("../src/node/parts/index.ts")).sort()).toEqual([
    "PartError",
    "PartTimeoutError",
    "openParts",
  ]);
});
