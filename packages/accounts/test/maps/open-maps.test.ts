import type { Store, StoreRow, StoreValue } from "@swath/store";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { openMaps } from "../../src/maps/open-maps.ts";
import { wrongCredentials } from "../../src/metering/counters/account-limits.ts";
import { storedAddressLimits } from "../../src/metering/counters/address-limits.ts";
import { GuessLimit } from "../../src/secrets/guess-limit.ts";
import { isSecret, makeSecret } from "../../src/secrets/secrets.ts";
import { openStore } from "../open-store.ts";

const NOW = Date.UTC(2026, 5, 16);
const SETTINGS = { unitsPerDay: 10, expires: NOW + 86_400_000 };

/** The store, with the statements that it is asked. */
function watched(store: Store): { readonly store: Store; readonly statements: string[] } {
  const statements: string[] = [];
  const query = (sql: string, values?: readonly StoreValue[]): Promise<readonly StoreRow[]> => {
    statements.push(sql);
    return store.query(sql, values);
  };
  return {
    store: new Proxy(store, { get: (of, name) => (name === "query" ? query : Reflect.get(of, name).bind(of)) }),
    statements,
  };
}

describeEngines("map tokens", (host) => {
  test("of one node are known on another, and those that nobody made are looked up nowhere", async () => {
    const settings = await host().fresh();
    const [one, other] = [await openStore(settings), await openStore(settings)];
    try {
      const { map, secret } = await openMaps(one, () => NOW).tokens.create(undefined, SETTINGS);
      expect(isSecret(secret)).toBe(true);
      const { store, statements } = watched(other);
      const { lookup } = openMaps(store, () => NOW);
      expect(await lookup.identify(secret, undefined)).toMatchObject({ map: { id: map.id } });
      statements.length = 0;
      const near = Array.from({ length: 40 }, (_, at) => {
        const character = secret[at] === "a" ? "b" : "a";
        return `${secret.slice(0, at)}${character}${secret.slice(at + 1)}`;
      });
      for (const wrong of [...near, ...Array.from({ length: 10_000 }, makeSecret)]) {
        expect(await lookup.identify(wrong, undefined)).toBeUndefined();
      }
      expect(statements).toEqual([]);
    } finally {
      await Promise.all([one.close(), other.close()]);
    }
  });

  test("of ten thousand wrong ones from one network 300 are counted, and then none", async () => {
    const opened = await openStore(await host().fresh());
    const { store, statements } = watched(opened);
    try {
      const { lookup } = openMaps(store, () => NOW);
      const guesses = new GuessLimit(wrongCredentials(storedAddressLimits(store, { now: () => NOW })), () => NOW);
      await lookup.identify(makeSecret(), undefined);
      statements.length = 0;
      let refused = 0;
      for (let sent = 0; sent < 10_000; sent++) {
        const token = makeSecret();
        const answer = guesses.identify("map", token, "203.0.113.7", () => lookup.identify(token, undefined));
        await answer.catch(() => refused++);
      }
      expect(refused).toBe(9700);
      expect(statements.length).toBeLessThanOrEqual(301);
    } finally {
      await opened.close();
    }
  });
});
