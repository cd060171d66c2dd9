import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as node from "node:sqlite";
import * as package20 from "@photostructure/sqlite";
import { afterAll, describe, expect, test } from "vitest";
import { DatabaseSync, resultCode } from "../../src/node/sqlite.ts";

const folder = mkdtempSync(join(tmpdir(), "swath-sqlite-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("where Node has SQLite it is Node's", () => {
  expect(DatabaseSync).toBe(node.DatabaseSync);
});

function codeOf(work: () => unknown): number | undefined {
  try {
    work();
  } catch (error) {
    return resultCode(error);
  }
  throw new Error("Expected a failure.");
}

describe.each([
  ["Node's", node.DatabaseSync],
  ["the package of Node 20", package20.DatabaseSync as unknown as typeof node.DatabaseSync],
])("%s", (name, Database) => {
  const open = (file: string): node.DatabaseSync => new Database(join(folder, `${name}-${file}`), { timeout: 5 });

  test("numbered parameters, returned rows, integers, blobs and nulls", () => {
    const db = new Database(":memory:");
    db.exec("create table t (a integer primary key, b text, c blob, d real)");
    const insert = db.prepare("insert into t (b, c, d) values ($1, $2, $3) returning a, b, d");
    expect(insert.all({ $1: "x", $2: new Uint8Array([1, 2]), $3: null })).toEqual([{ a: 1, b: "x", d: null }]);
    const row = db.prepare("select * from t where a = ?").get(1);
    expect(row).toMatchObject({ a: 1, b: "x", d: null });
    expect(row?.c).toEqual(new Uint8Array([1, 2]));
    expect(db.prepare("update t set d = 2").run().changes).toBe(1);
    expect([...db.prepare("select a from t").iterate()]).toEqual([{ a: 1 }]);
    db.close();
  });

  test("transactions are known, and a file that another connection writes to is locked: code 5", () => {
    const one = open("locked");
    one.exec("pragma journal_mode = wal; create table t (a)");
    const other = open("locked");
    one.exec("begin immediate");
    expect(one.isTransaction).toBe(true);
    expect(codeOf(() => other.exec("begin immediate"))).toBe(5);
    expect(codeOf(() => other.prepare("begin immediate").all())).toBe(5);
    one.exec("rollback");
    expect(one.isTransaction).toBe(false);
    one.close();
    other.close();
  });

  test("a file that is no database: code 26", () => {
    writeFileSync(join(folder, `${name}-text`), "no database ".repeat(200));
    const db = open("text");
    expect(codeOf(() => db.exec("pragma journal_mode = wal"))).toBe(26);
    expect(codeOf(() => db.prepare("select * from sqlite_master").all())).toBe(26);
    db.close();
  });
});

test("an error of another kind has no code", () => {
  expect(resultCode(new RangeError("out of range"))).toBeUndefined();
  expect(resultCode("database is locked")).toBeUndefined();
});
