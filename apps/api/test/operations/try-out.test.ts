import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tryOutKey, tryOutTile } from "../../src/service/try-out.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { FULL, memoryStore, testService } from "../tools/harness.ts";

test("a key and a tile to try the service out are made once and kept, and the tile needs no key", async () => {
  const folder = await mkdtemp(join(tmpdir(), "swath-try-out-"));
  const store = await memoryStore();
  const { units, maps, close } = accountsOn(store);
  try {
    expect(await tryOutKey(folder)).toMatch(/^[0-9a-f]{40}$/);
    expect(await tryOutKey(folder)).toBe((await readFile(join(folder, "sandbox-key"), "utf8")).trim());
    const tile = (await tryOutTile(folder, maps)) ?? "";
    expect(await tryOutTile(folder, maps)).toBe(tile);
    const service = await testService({ maps, units }, { profile: FULL });
    const response = await service.request(tile);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/png"]);
    expect(Number(response.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
    // one that was ended is made anew, as long as there is room for it
    const [first] = await maps.tokens.list(undefined);
    maps.lookup.forget([(await maps.tokens.end(undefined, first?.id ?? "")) ?? ""]);
    const second = await tryOutTile(folder, maps);
    expect(second).not.toBe(tile);
    await rm(join(folder, "sandbox-map"));
    for (let i = 0; i < 19; i++) await maps.tokens.create(undefined, { unitsPerDay: 1, expires: Date.now() + 1e6 });
    expect(await tryOutTile(folder, maps)).toBeUndefined();
  } finally {
    await close();
    await store.close();
    await rm(folder, { recursive: true });
  }
});
