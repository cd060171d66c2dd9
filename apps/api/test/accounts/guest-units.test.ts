import type { Identity } from "@swath/accounts";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { guestIdentity, type UnitNode, unitNode } from "../../../../test/tools/unit-nodes.ts";
import { translateError } from "../../src/errors/translate.ts";
import { openStore } from "../../src/open/open-store.ts";
import { type AccountNode, accountNode } from "./account-service.ts";
import { accountsOn } from "./accounts-on.ts";

const DAY = 86_400_000;
const START = Date.parse("2026-06-30T12:00:05Z");
const from = (token: string, network: string): Identity => ({ ...guestIdentity(token), network });

interface Problem {
  readonly code: string;
  readonly retryAfter: number;
  readonly limits: Record<string, number>;
}

describeEngines("units of guests", (host, engine) => {
  const run = async (
    work: (parts: { readonly open: () => UnitNode; readonly clock: { now: number } }) => Promise<void>,
    guestUnitsDay?: number,
  ): Promise<void> => {
    const store = await openStore(await host().fresh());
    const clock = { now: START };
    const nodes: UnitNode[] = [];
    const open = (): UnitNode => {
      const node = unitNode(store, { now: () => clock.now, ...(guestUnitsDay === undefined ? {} : { guestUnitsDay }) });
      nodes.push(node);
      return node;
    };
    try {
      await work({ open, clock });
    } finally {
      for (const { accounts } of nodes) await accounts.close();
      await store.close();
    }
  };
  const refusal = async (work: Promise<unknown>): Promise<Problem> =>
    work.then(
      () => {
        throw new Error("Expected a refusal.");
      },
      (error: unknown) => translateError(error) as Problem,
    );

  test("guests of a network have 300 units a day together, however many tokens they get", { tags: ["UN8"] }, () =>
    run(async ({ open, clock }) => {
      const node = open();
      for (const token of ["a", "b", "c"]) {
        expect((await node.spend(from(token, "192.0.2.1"), 99)).spent).toBe(99);
      }
      expect(await node.spend(from("d", "192.0.2.1"), 2)).toMatchObject({ remaining: 1, period: "day" });
      expect(await refusal(node.admit(from("d", "192.0.2.1"), 1.5))).toMatchObject({
        code: "quota-exhausted",
        limits: { unitsPerDay: 300, unitsSpentToday: 299 },
        retryAfter: (DAY - (START % DAY)) / 1000,
      });
      // what is refused reserves nothing, of the token neither
      expect((await node.spend(from("d", "192.0.2.2"), 1)).remaining).toBe(97);
      // the token's own units are fewer than those of the network
      expect((await node.spend(from("e", "192.0.2.3"), 1)).period).toBe("token");
      clock.now += DAY;
      expect((await node.spend(from("f", "192.0.2.1"), 2)).spent).toBe(2);
    }),
  );

  test("all guests together have the units that the owner allows for a day", { tags: ["UN8"] }, () =>
    run(async ({ open }) => {
      const node = open();
      for (let i = 0; i < 10; i++) await node.spend(from(`t${i}`, `192.0.2.${i}`), 50);
      expect(await refusal(node.admit(from("x", "198.51.100.1"), 0.01))).toMatchObject({
        code: "quota-exhausted",
        limits: { unitsPerDay: 500, unitsSpentToday: 500 },
      });
    }, 500),
  );

  test("what a guest does not get is given back to the network and the service too", () =>
    run(async ({ open }) => {
      const node = open();
      const failed = await node.admit(from("a", "192.0.2.1"), 90);
      await failed.release();
      const left = await node.admit(from("b", "192.0.2.1"), 90);
      await left.charge(90_0000 as never);
      left.refund?.();
      await node.accounts.flush();
      for (const token of ["c", "d", "e"]) await node.spend(from(token, "192.0.2.1"), 100);
      expect(await refusal(node.admit(from("f", "192.0.2.1"), 1))).toMatchObject({ code: "quota-exhausted" });
    }, 300));

  test.runIf(engine === "postgres")("the bounds hold over two nodes, whoever asks at once", () =>
    run(async ({ open }) => {
      const nodes = [open(), open()] as const;
      const asked = Array.from({ length: 60 }, (_, i) => nodes[i % 2]?.spend(from(`t${i}`, "192.0.2.1"), 10));
      const settled = await Promise.allSettled(asked);
      expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(30);
    }),
  );

  test("the network is the one that a token is sent from", async () => {
    const settings = await host().fresh();
    const store = await openStore(settings);
    const clock = { now: START };
    const { units, close } = accountsOn(store, { now: () => clock.now });
    const node: AccountNode = await accountNode(settings, { clock, services: { units, guestUnitsDay: 1000 } });
    try {
      const { accessToken } = await (await node.send("POST", "/v1/guest")).json();
      const tile = "/v1/tiles/true-color/WebMercatorQuad/9/275/182.png?datetime=2026-05-01/2026-06-16";
      const answer = await node.request(tile, {
        headers: { Authorization: `Bearer ${accessToken}`, "X-Forwarded-For": "203.0.113.9" },
      });
      expect([answer.status, answer.headers.get("X-Units-Remaining")]).toEqual([200, "99.75"]);
      const rows = await node.store.query(
        "select payer, spent from unit_payer where payer like 'guest:%' order by payer",
      );
      expect(rows).toEqual([
        { payer: expect.stringMatching(/^guest:guest-/), spent: 2500 },
        { payer: "guest:network 203.0.113.9", spent: 2500 },
        { payer: "guest:service", spent: 2500 },
      ]);
      clock.now += DAY + 60_000;
      await units.removeExpired();
      expect(await node.store.query("select payer from unit_payer where payer like 'guest:%'")).toEqual([]);
    } finally {
      await node.close();
      await close();
      await store.close();
    }
  });
});
