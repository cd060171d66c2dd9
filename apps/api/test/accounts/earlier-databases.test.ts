import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openSpending } from "@swath/accounts/owner";
import { readSetting, type Store } from "@swath/store";
import { storedJobs } from "@swath/store/jobs";
import { openSqliteStore, type StoreSettings } from "@swath/store/node";
import { openPostgresStore } from "@swath/store/node/postgres";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { openStore } from "../../src/open/open-store.ts";
import { accountsOn } from "./accounts-on.ts";

/** The rows that were written into each database by the release of 2026-11-23, whose parts had one history of migrations. */
const WRITTEN = {
  sqlite: {
    key: ["54a5c5ea34b7d3d8", "ejkO6ESqFzAYd1Cc2kCBOv4Zizr5pyi3We4ArNGW"],
    accountKey: ["38fb77775bce4be5d2aa61a2", "swath_RqQCL63oaCQmxhrJgu9RK0xhKs5B0gNGJkgAR0oJ"],
    account: "530d3e794cc8788418fa67c0",
    job: "9bd9b454-9b25-40a5-8a3b-e47c906b12e9",
  },
  postgres: {
    key: ["519d62e9ad4a56cd", "SASutYiLHbCn1DvhJ3endSxPukZoVwBV4fIxKDpx"],
    accountKey: ["a76d87451d63f0d0a086d87f", "swath_4Zy6xcYa7An5rlyeJR9wnYebR0Qk2TB8Xiw3Vl7w"],
    account: "a5cda09f0fb08fc693fa4f2f",
    job: "7cea8c85-5e70-4a53-924d-616767754524",
  },
} as const;
const START = Date.parse("2026-11-23T12:10:00Z");
const now = (): number => START;

const bare = ({ dataDir, databaseUrl }: StoreSettings): Store =>
  databaseUrl === undefined ? openSqliteStore(join(dataDir, "state.sqlite")) : openPostgresStore(databaseUrl);

/** Tables and their columns, except the tables that list the migrations that have run. */
async function columnsOf(store: Store): Promise<readonly unknown[]> {
  const text =
    store.engine === "sqlite"
      ? `select m.name as at, c.name as column_name, lower(c.type) as type from sqlite_master m
          join pragma_table_info(m.name) c where m.type = 'table'`
      : `select table_name as at, column_name, data_type as type from information_schema.columns
          where table_schema = 'public'`;
  return store.query(`select * from (${text}) as found where at not like '%migration' order by at, column_name`);
}

describeEngines("a database of the release before parts had migrations of their own", (host, engine) => {
  const written = WRITTEN[engine];
  const earlier = async (): Promise<StoreSettings> => {
    const settings = await host().fresh();
    const store = bare(settings);
    await store.exec(readFileSync(new URL(`./earlier-databases/${engine}.sql`, import.meta.url), "utf8"));
    await store.close();
    return settings;
  };

  test("goes on: its keys are good, its counts stand, its job runs and is charged", async () => {
    const settings = await earlier();
    // a second start finds nothing to do
    await (await openStore(settings)).close();
    const store = await openStore(settings);
    const [id, secret] = written.key;
    const mailer = { send: async () => {}, close: () => {} };
    const { accounts, units, charges, close, ...opened } = accountsOn(store, { now, mailer });
    expect(await opened.keys.identify(secret)).toMatchObject({ subject: id, tier: "owner" });
    const [keyId, accountSecret] = written.accountKey;
    expect(await accounts?.lookup.keys.identify(accountSecret)).toMatchObject({
      subject: keyId,
      account: written.account,
      tier: "pro",
    });
    expect(await readSetting(store, "note")).toBe("kept");
    const spending = await openSpending(store, {}, { now });
    expect(spending.spent()).toEqual({ requests: 3, bytes: 1000 });
    const usage = async (): Promise<number> => (await units.usage(`account:${written.account}`, "2026-11")).units;
    expect(await usage()).toBe(25_000);
    const queue = storedJobs(store, { now, charges });
    expect(await queue.claim("w", 10_000)).toMatchObject({ id: written.job, kind: "process", request: { a: 1 } });
    expect(await queue.finish(written.job, "w", { result: "file", fileBytes: 700 })).toBe(true);
    expect(await usage()).toBe(95_000);
    expect(await store.query("select id from unit_reservation")).toEqual([]);
    await spending.close();
    await close();
    await store.close();
  });

  test("has the tables of a new one, and nodes of that release may start on either", async () => {
    const [old, fresh] = [await openStore(await earlier()), await openStore(await host().fresh())];
    expect(await columnsOf(old)).toEqual(await columnsOf(fresh));
    for (const store of [old, fresh]) {
      // they ask for the newest of these versions alone
      const versions = await store.query("select version from migration order by version");
      expect(versions).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((version) => ({ version })));
      await store.close();
    }
  });
});
