import { fork } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { describeEngines } from "../../../test/tools/engines.ts";
import { migrate, STORE_TABLES, type TablesOf } from "../src/migrations.ts";
import { openStore, type StoreSettings } from "../src/node/open-store.ts";
import { openPostgresStore } from "../src/node/postgres-store.ts";
import { openSqliteStore } from "../src/node/sqlite-store.ts";
import { type Store, StoreError } from "../src/store.ts";

const bare = ({ dataDir, databaseUrl }: StoreSettings): Store =>
  databaseUrl === undefined ? openSqliteStore(`${dataDir}/state.sqlite`) : openPostgresStore(databaseUrl);

describeEngines("the store", (host, engine) => {
  const withStore = async (work: (store: Store, settings: StoreSettings) => Promise<void>): Promise<void> => {
    const settings = await host().fresh();
    const store = await openStore(settings);
    try {
      await work(store, settings);
    } finally {
      await store.close();
    }
  };

  test("values come back as they went in", () =>
    withStore(async (store) => {
      await store.exec("create table v(t text, n bigint, d double precision, b bytea)");
      const bytes = new Uint8Array([0, 1, 255]);
      await store.query("insert into v(t, n, d, b) values ($1, $2, $3, $4)", ["ä'\"", 1781000000000, 0.1, bytes]);
      await store.query("insert into v(t, n, d, b) values ($1, $2, $3, $4)", [null, null, null, null]);
      const [row, empty] = await store.query("select t, n, d, b from v order by n is null");
      expect(row).toMatchObject({ t: "ä'\"", n: 1781000000000, d: 0.1 });
      expect(Buffer.from(row?.b as Uint8Array).toString("hex")).toBe("0001ff");
      expect(empty).toEqual({ t: null, n: null, d: null, b: null });
    }));

  test("a transaction that throws changes nothing", () =>
    withStore(async (store) => {
      await store.exec("create table t(n int)");
      const attempt = store.transaction("t", async (db) => {
        await db.query("insert into t(n) values ($1)", [1]);
        throw new RangeError("no");
      });
      await expect(attempt).rejects.toThrow(RangeError);
      expect(await store.query("select n from t")).toEqual([]);
    }));

  test("transactions of one name run one after the other, on every node", () =>
    withStore(async (store, settings) => {
      await store.exec("create table t(n int not null)");
      await store.query("insert into t(n) values (0)");
      const other = await openStore(settings);
      const add = (on: Store): Promise<void> =>
        on.transaction("add", async (db) => {
          const [row] = await db.query("select n from t");
          await db.query("update t set n = $1", [Number(row?.n) + 1]);
        });
      await Promise.all(Array.from({ length: 60 }, (_, i) => add(i % 2 === 0 ? store : other)));
      expect(await store.query("select n from t")).toEqual([{ n: 60 }]);
      await other.close();
    }));

  test("a wrong statement fails alone", () =>
    withStore(async (store) => {
      await expect(store.query("select a from nowhere")).rejects.toThrow(/nowhere/);
      expect(await store.query("select 1 as one")).toEqual([{ one: 1 }]);
    }));

  test("four processes that start together migrate the database once", async () => {
    const settings = await host().fresh();
    const children = Array.from({ length: 4 }, () =>
      fork(new URL("./children/migrate.ts", import.meta.url), [JSON.stringify(settings)], {
        execArgv: ["--conditions=@swath/source"],
      }),
    );
    await Promise.all(children.map((child) => once(child, "message")));
    const ends = children.map((child) => once(child, "exit"));
    for (const child of children) child.send("go");
    expect((await Promise.all(ends)).map(([code]) => code)).toEqual([0, 0, 0, 0]);
    const store = bare(settings);
    expect(await store.query("select part, version from part_migration where part <> '' order by version")).toEqual(
      STORE_TABLES.migrations.map(({ version }) => ({ part: "store", version })),
    );
    expect(await store.query("select n from slot order by n")).toHaveLength(4);
    await store.close();
  });

  test("a later release adds its migrations, and the earlier one then refuses to start", async () => {
    const settings = await host().fresh();
    await (await openStore(settings)).close();
    const newest = STORE_TABLES.migrations.at(-1)?.version ?? 0;
    const migrations = [...STORE_TABLES.migrations, { version: newest + 1, text: "create table later(id int)" }];
    const store = bare(settings);
    await migrate(store, [{ ...STORE_TABLES, migrations }]);
    expect(await store.query("select id from later")).toEqual([]);
    await store.close();
    const refused = openStore(settings);
    await expect(refused).rejects.toBeInstanceOf(StoreError);
    await expect(refused).rejects.toMatchObject({
      code: "newer-schema",
      message: expect.stringContaining(`The tables of store are at version ${newest + 1}`),
    });
  });

  test("a migration that fails does not change the database, of no part", async () => {
    const settings = await host().fresh();
    const store = bare(settings);
    const broken = [{ version: 1, text: "create table half(id int); insert into nowhere values (1)" }];
    await expect(migrate(store, [STORE_TABLES, { part: "broken", migrations: broken }])).rejects.toThrow(/nowhere/);
    await expect(store.query("select id from half")).rejects.toThrow(/half/);
    await expect(store.query("select id from job")).rejects.toThrow(/job/);
    await migrate(store, [STORE_TABLES]);
    await store.close();
  });

  if (engine === "postgres")
    test("a connection that breaks between two statements of a transaction fails that transaction alone", () =>
      withStore(async (store) => {
        const transaction = store.transaction("broken", async (db) => {
          const [own] = await db.query("select pg_backend_pid() as pid");
          await store.query("select pg_terminate_backend($1)", [own?.pid ?? null]);
          const backends = () => store.query("select 1 from pg_stat_activity where pid = $1", [own?.pid ?? null]);
          await expect.poll(backends).toEqual([]);
          await db.query("select 1");
        });
        await expect(transaction).rejects.toMatchObject({ name: "StoreError", code: "unavailable" });
        expect(await store.transaction("broken", (db) => db.query("select 1 as one"))).toEqual([{ one: 1 }]);
      }));

  test("parts have histories of their own: one may come later, and what is on one engine alone runs there", async () => {
    const settings = await host().fresh();
    await (await openStore(settings)).close();
    const notes: TablesOf = {
      part: "notes",
      migrations: [
        { version: 1, text: "create table note(id int)" },
        { version: 2, text: "insert into note(id) values (1)", postgres: "insert into note(id) values (2)" },
      ],
    };
    for (let start = 0; start < 2; start++) {
      const store = await openStore(settings, { tables: [notes] });
      expect(await store.query("select id from note order by id")).toEqual(
        store.engine === "postgres" ? [{ id: 1 }, { id: 2 }] : [{ id: 1 }],
      );
      await store.close();
    }
    // a program that does not know the part is not stopped by it
    await (await openStore(settings)).close();
  });
});

test("migrations are numbered from one without a gap", () => {
  const versions = STORE_TABLES.migrations.map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, index) => index + 1));
});

test("a database that does not answer is unavailable, not wrong", async () => {
  const store = openPostgresStore("postgres://nobody@127.0.0.1:9/none");
  await expect(store.query("select 1")).rejects.toMatchObject({ name: "StoreError", code: "unavailable" });
  await expect(store.transaction("x", async () => 1)).rejects.toMatchObject({ code: "unavailable" });
  await store.close();
});
