import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Identity, payerOf, toUnits } from "@swath/accounts";
import type { StoreSettings } from "@swath/store/node";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { openStore } from "../../src/open/open-store.ts";
import { type AccountNode, accountNode, nodesOn } from "./account-service.ts";
import { accountsOn, type TestAccounts } from "./accounts-on.ts";

const ADDRESS = "ann.of.delft@example.org";
const search = (node: AccountNode, session: string) =>
  node.request("/v1/search?limit=1", { headers: { Authorization: `Bearer ${session}` } });

describeEngines("an account that is deleted", (host, engine) => {
  const withNode = nodesOn(host);

  async function withUnits(
    work: (node: AccountNode, settings: StoreSettings, units: TestAccounts["units"]) => Promise<void>,
  ): Promise<void> {
    const settings = await host().fresh();
    const clock = { now: Date.UTC(2026, 5, 16, 12) };
    const store = await openStore(settings);
    const { units, close } = accountsOn(store, { now: () => clock.now });
    const node = await accountNode(settings, { clock, services: { units } });
    try {
      await work(node, settings, units);
    } finally {
      await node.close();
      await close();
      await store.close();
    }
  }

  const remove = async (node: AccountNode, session: string): Promise<void> =>
    expect((await node.send("DELETE", "/v1/account", undefined, session)).status).toBe(204);

  test(
    "who signs up again in the same month goes on with its units, and in the next one begins anew",
    { tags: ["UN15"] },
    () =>
      withUnits(async (node) => {
        const first = await node.signIn(ADDRESS);
        const [before] = await node.accounts.accounts.list();
        for (let i = 0; i < 3; i++) {
          expect((await search(node, first)).headers.get("X-Units-Remaining")).toBe(String(9999.99 - i / 100));
        }
        await remove(node, first);
        const again = await node.signIn(ADDRESS);
        const [after] = await node.accounts.accounts.list();
        expect(after?.id).not.toBe(before?.id);
        expect((await search(node, again)).headers.get("X-Units-Remaining")).toBe("9999.96");
        expect((await search(node, again)).headers.get("RateLimit")).toMatch(/"requests-minute";r=59[45];/);
        await remove(node, again);
        const third = await node.signIn(ADDRESS);
        expect((await search(node, third)).headers.get("X-Units-Remaining")).toBe("9999.94");
        // another address is another payer
        const other = await node.signIn("bob@example.org");
        expect((await search(node, other)).headers.get("X-Units-Remaining")).toBe("9999.99");
        await remove(node, third);
        node.clock.now = Date.UTC(2026, 6, 1);
        const july = await node.signIn(ADDRESS);
        expect((await search(node, july)).headers.get("X-Units-Remaining")).toBe("9999.99");
        const { units } = await (await node.send("GET", "/v1/usage?month=2026-06", undefined, july)).json();
        expect(units.spent).toBe(0);
      }),
  );

  test("what was running when the account was deleted is charged to who signs up again", { tags: ["UN15"] }, () =>
    withUnits(async (node, _settings, units) => {
      const session = await node.signIn(ADDRESS);
      const identity = await node.accounts.lookup.tokens.identify(session, undefined);
      const request = { route: "getTile", cost: toUnits(50) };
      const open = await units.reservations.reserve(payerOf(identity as Identity) as never, request);
      await remove(node, session);
      const again = await node.signIn(ADDRESS);
      await units.reservations.settle(open, request.cost);
      expect((await search(node, again)).headers.get("X-Units-Remaining")).toBe("9949.99");
    }),
  );

  test(
    "a keyed hash of the address stays until the month ends, and nothing of the address itself",
    { tags: ["AC6"] },
    () =>
      withNode(async (node) => {
        const session = await node.signIn(ADDRESS);
        await node.send("PATCH", "/v1/account", { name: "Ann of Delft" }, session);
        await remove(node, session);
        const hash = async () => (await node.store.query("select address_hash from account"))[0]?.address_hash;
        expect(await hash()).toMatch(/^[0-9a-f]{64}$/);
        await node.accounts.accounts.removeExpired();
        expect(await hash()).toMatch(/^[0-9a-f]{64}$/);
        node.clock.now = Date.UTC(2026, 6, 1);
        await node.accounts.accounts.removeExpired();
        expect(await hash()).toBeNull();
      }),
  );

  test("an account that the owner makes for an address that was deleted goes on with its counts too", () =>
    withUnits(async (node) => {
      const session = await node.signIn(ADDRESS);
      await search(node, session);
      await remove(node, session);
      await node.accounts.accounts.create(ADDRESS, "pro");
      const again = await node.signIn(ADDRESS);
      expect((await search(node, again)).headers.get("X-Units-Remaining")).toBe("199999.98");
    }));

  test.runIf(engine === "sqlite")(
    "no byte of its address is left in the state file or its logs, among many others",
    { tags: ["AC6"] },
    () =>
      withUnits(async (node, { dataDir }) => {
        const sessions = new Map<string, string>();
        for (let i = 0; i < 300; i++) {
          const email = `person-${i}-${"x".repeat(i % 60)}@example.org`;
          await node.store.query("insert into account(id, email, name, tier, created) values ($1, $2, $3, 'free', 0)", [
            `id-${i}`,
            email,
            `Name of ${i}`,
          ]);
          if (i % 60 === 7) sessions.set(`zz-${i}-delft@example.org`, await node.signIn(`zz-${i}-delft@example.org`));
        }
        for (const session of sessions.values()) {
          await node.send("PATCH", "/v1/account", { name: "Zoe of zz-delft" }, session);
          await search(node, session);
        }
        const found = async (): Promise<string[]> => {
          const names = await readdir(dataDir);
          const texts = await Promise.all(
            names.map(async (name) => [name, await readFile(join(dataDir, name), "latin1")]),
          );
          return texts.filter(([, text]) => /zz-\d*-?delft/.test(text ?? "")).map(([name]) => name ?? "");
        };
        expect(await found()).toContain("state.sqlite-wal");
        for (const session of sessions.values()) await remove(node, session);
        expect(await found()).toEqual([]);
        expect(node.logged.join("")).not.toContain("delft");
        // a process that reads at the time keeps the log until housekeeping comes by
        await node.store.scrub();
        expect((await readFile(join(dataDir, "state.sqlite-wal"))).length).toBe(0);
      }),
  );
});
