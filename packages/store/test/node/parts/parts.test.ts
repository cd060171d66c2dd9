import { expect, test } from "vitest";
import { openParts } from "../../../src/node/parts/index.ts";
import { requireNode } from "../../../src/node/parts/part-queue.ts";
import { openSqliteStore } from "../../../src/node/sqlite-store.ts";

test("jobs are not cut into parts on SQLite", async () => {
  const store = openSqliteStore(":memory:");
  await expect(openParts(store, { log: console })).rejects.toThrow("Parts of jobs need a store on PostgreSQL.");
  await store.close();
});

test.each(["20.19.4", "22.11.0"])("Node %s is refused", (version) => {
  expect(() => requireNode(version)).toThrow(`Parts of jobs need Node 22.12 or newer, and this is Node ${version}.`);
});

test.each(["22.12.0", "24.0.0"])("Node %s carries parts out", (version) => {
  expect(() => requireNode(version)).not.toThrow();
});
