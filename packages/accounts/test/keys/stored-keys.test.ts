import type { Store } from "@swath/store";
import type { StoreSettings } from "@swath/store/node";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { ownerIdentity } from "../../src/identity.ts";
import { anyKeyLookup, fixedKeyLookup } from "../../src/keys/key-lookup.ts";
import { storedKeyLookup } from "../../src/keys/stored-key-lookup.ts";
import { KeyError, type StoredKeys, storedKeys } from "../../src/keys/stored-keys.ts";
import { hashSecret, isSecret, makeSecret, matchesSecret } from "../../src/secrets/secrets.ts";
import { openStore } from "../open-store.ts";

const MINUTE = 60_000;

test("secrets are 40 letters and digits, and never the same", () => {
  const secrets = Array.from({ length: 500 }, makeSecret);
  expect(secrets.every(isSecret)).toBe(true);
  expect(new Set(secrets).size).toBe(500);
  // every letter and digit turns up among 20,000
  expect(new Set(secrets.join("")).size).toBe(62);
});

test("a hash matches its secret alone, and nothing without its salt", () => {
  const secret = makeSecret();
  const [a, b] = [hashSecret(secret), hashSecret(secret)];
  expect(a.hash).not.toBe(b.hash);
  expect(matchesSecret(secret, a)).toBe(true);
  expect(matchesSecret(secret, { salt: b.salt, hash: a.hash })).toBe(false);
  expect(matchesSecret(`${secret.slice(0, 39)}-`, a)).toBe(false);
});

test("rings are asked in turn", async () => {
  const lookup = anyKeyLookup([fixedKeyLookup(["one"]), fixedKeyLookup(["two"])]);
  expect(await lookup.identify("one")).toEqual(await fixedKeyLookup(["one"]).identify("one"));
  expect(await lookup.identify("two")).toBeDefined();
  expect(await lookup.identify("three")).toBeUndefined();
});

describeEngines("keys", (host) => {
  interface Parts {
    readonly store: Store;
    readonly settings: StoreSettings;
    readonly keys: StoredKeys;
    readonly clock: { now: number };
  }
  const withKeys = async (work: (parts: Parts) => Promise<void>): Promise<void> => {
    const settings = await host().fresh();
    const store = await openStore(settings);
    const clock = { now: Date.UTC(2026, 5, 16) };
    try {
      await work({ store, settings, keys: storedKeys(store, () => clock.now), clock });
    } finally {
      await store.close();
    }
  };

  test("a new key works at once, also where a key was requested before, and no other does", () =>
    withKeys(async ({ store, keys, clock }) => {
      const lookup = storedKeyLookup(store, () => clock.now);
      expect(await lookup.identify(makeSecret())).toBeUndefined();
      const { id, secret } = await keys.create("Ann");
      expect(await lookup.identify(secret)).toEqual(ownerIdentity(id));
      const other = `${secret.slice(0, 39)}${secret.endsWith("0") ? "1" : "0"}`;
      expect(await lookup.identify(other)).toBeUndefined();
      expect(await lookup.identify("")).toBeUndefined();
      expect(await lookup.identify(`${secret} `)).toBeUndefined();
      expect(await lookup.identify("' or 1=1 --")).toBeUndefined();
    }));

  test(
    "a disabled key stops within a minute on every node, and works nowhere that has not seen it",
    { tags: ["U5"] },
    () =>
      withKeys(async ({ store, settings, keys, clock }) => {
        const elsewhere = await openStore(settings);
        const nodes = [storedKeyLookup(store, () => clock.now), storedKeyLookup(elsewhere, () => clock.now)];
        const { id, secret } = await keys.create("Ann");
        for (const node of nodes) expect(await node.identify(secret)).toEqual(ownerIdentity(id));
        // in use all the time: every use must not prolong what is remembered
        for (let second = 0; second < 50; second += 10) {
          clock.now += 10_000;
          for (const node of nodes) expect(await node.identify(secret)).toEqual(ownerIdentity(id));
        }
        await keys.disable(id);
        expect(await storedKeyLookup(store, () => clock.now).identify(secret)).toBeUndefined();
        const disabled = clock.now;
        const working = new Set(nodes);
        while (clock.now < disabled + MINUTE) {
          clock.now += 1000;
          for (const node of working) if ((await node.identify(secret)) === undefined) working.delete(node);
        }
        expect(working.size).toBe(0);
        await elsewhere.close();
      }),
  );

  test("a key in use costs the store two questions a minute, and an unknown one twelve", () =>
    withKeys(async ({ store, keys, clock }) => {
      let questions = 0;
      const counting: Store = {
        ...store,
        query: (text, parameters) => {
          questions += 1;
          return store.query(text, parameters);
        },
      };
      const lookup = storedKeyLookup(counting, () => clock.now);
      const { secret } = await keys.create("Ann");
      const unknown = makeSecret();
      const asked = async (key: string): Promise<number> => {
        questions = 0;
        for (let i = 0; i < 600; i++) {
          clock.now += 100;
          await lookup.identify(key);
        }
        return questions;
      };
      expect(await asked(secret)).toBe(2);
      expect(await asked(unknown)).toBe(12);
      questions = 0;
      clock.now += MINUTE;
      await Promise.all(Array.from({ length: 20 }, () => lookup.identify(secret)));
      expect(questions).toBe(1);
    }));

  test("a rotated key keeps its id, and its old secret for as long as asked", () =>
    withKeys(async ({ store, keys, clock }) => {
      const lookup = storedKeyLookup(store, () => clock.now);
      const first = await keys.create("Ann");
      const second = await keys.rotate(first.id, 10 * MINUTE);
      expect(second.id).toBe(first.id);
      expect(await lookup.identify(first.secret)).toEqual(ownerIdentity(first.id));
      expect(await lookup.identify(second.secret)).toEqual(ownerIdentity(first.id));
      expect((await keys.list("2026-06"))[0]?.prefixes).toEqual(
        expect.arrayContaining([first.secret.slice(0, 8), second.secret.slice(0, 8)]),
      );
      clock.now += 10 * MINUTE;
      expect(await lookup.identify(first.secret)).toBeUndefined();
      expect(await lookup.identify(second.secret)).toEqual(ownerIdentity(first.id));
      const third = await keys.rotate(first.id, 0);
      clock.now += MINUTE;
      expect(await lookup.identify(second.secret)).toBeUndefined();
      expect(await lookup.identify(third.secret)).toEqual(ownerIdentity(first.id));
      expect((await keys.list("2026-06"))[0]?.prefixes).toEqual([third.secret.slice(0, 8)]);
    }));

  test("what is stored does not contain a secret", () =>
    withKeys(async ({ store, keys }) => {
      const { secret } = await keys.create("Ann");
      const rows = [
        ...(await store.query("select * from api_key")),
        ...(await store.query("select * from key_secret")),
      ];
      expect(JSON.stringify(rows)).not.toContain(secret.slice(0, 9));
      expect(JSON.stringify(rows)).toContain(secret.slice(0, 8));
    }));

  test("only a key that is there and in use is rotated", () =>
    withKeys(async ({ keys }) => {
      await expect(keys.disable("nobody")).rejects.toMatchObject({ name: "KeyError", code: "unknown-key" });
      const { id } = await keys.create("Ann");
      await keys.disable(id);
      await keys.disable(id);
      await expect(keys.rotate(id, 0)).rejects.toBeInstanceOf(KeyError);
    }));

  test("a store that does not answer is an error, not an unknown key", () =>
    withKeys(async ({ store, keys }) => {
      const { secret } = await keys.create("Ann");
      const broken: Store = { ...store, query: () => Promise.reject(new Error("away")) };
      await expect(storedKeyLookup(broken).identify(secret)).rejects.toThrow("away");
    }));
});
