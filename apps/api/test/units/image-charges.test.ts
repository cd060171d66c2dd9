import type { RenderedImage } from "@swath/engine/node/images";
import type { Queries, Store } from "@swath/store";
import { expect, test } from "vitest";
import { describeEngines, type EngineHost } from "../../../../test/tools/engines.ts";
import { accountIdentity } from "../../../../test/tools/unit-nodes.ts";
import { openStore } from "../../src/open/open-store.ts";
import type { Services } from "../../src/operations/services.ts";
import { profileFor } from "../accounts/account-access.ts";
import { accountsOn, type TestAccounts } from "../accounts/accounts-on.ts";
import { KEY, memoryStore, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { startSession } from "../tools/mcp-client.ts";

const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/274/182.png?datetime=2024-07-01/2024-07-31";
const HOLDERS = {
  ann: accountIdentity("ann", "free"),
  bob: accountIdentity("bob", "free"),
  cid: accountIdentity("cid", "pro"),
};
type Key = keyof typeof HOLDERS;
const PROFILE = profileFor(HOLDERS);
const NOW = Date.parse("2026-06-16T12:00:05Z");

/** Something that waits until the test lets it go on. */
class Gate {
  #open: () => void = () => {};
  #passes: Promise<void> = Promise.resolve();
  #reached: () => void = () => {};
  /** Resolves when the first one waits. */
  reached: Promise<void> = Promise.resolve();

  close(): void {
    this.#passes = new Promise((resolve) => {
      this.#open = resolve;
    });
    this.reached = new Promise((resolve) => {
      this.#reached = resolve;
    });
  }

  open(): void {
    this.#open();
    this.#passes = Promise.resolve();
  }

  async pass(): Promise<void> {
    this.#reached();
    await this.#passes;
  }
}

/** A store whose charges wait at a gate after they were written. */
function gated(store: Store, gate: Gate): Store {
  const isCharge = (text: string): boolean => /unit_count|swath_settle/.test(text);
  return {
    engine: store.engine,
    async query(text, parameters) {
      const rows = await store.query(text, parameters);
      if (isCharge(text)) await gate.pass();
      return rows;
    },
    exec: (text) => store.exec(text),
    async transaction(name, work, options) {
      let charges = false;
      const watched = (db: Queries): Queries => ({
        query(text, parameters) {
          charges ||= isCharge(text);
          return db.query(text, parameters);
        },
        exec: (text) => db.exec(text),
      });
      const result = await store.transaction(name, (db) => work(watched(db)), options);
      if (charges) await gate.pass();
      return result;
    },
    scrub: () => store.scrub(),
    close: () => store.close(),
  };
}

interface Bench {
  readonly service: TestService;
  readonly parts: Services;
  readonly units: TestAccounts["units"];
  readonly store: Store;
  readonly rendering: Gate;
  readonly charging: Gate;
  /** Signals of the renderings so far. */
  readonly renderings: AbortSignal[];
  /** Resolves when this many requests have searched their scenes: their next step waits for nothing but each other. */
  planned(requests: number): Promise<void>;
  ask(key: Key | undefined, options?: { readonly signal?: AbortSignal; readonly path?: string }): Promise<Response>;
  spent(key: Key): Promise<number>;
}

async function bench(host: EngineHost, work: (bench: Bench) => Promise<void>): Promise<void> {
  const [rendering, charging] = [new Gate(), new Gate()];
  const inner = await openStore(await host.fresh());
  const store = gated(inner, charging);
  const { units, close } = accountsOn(store, { now: () => NOW });
  const renderings: AbortSignal[] = [];
  const sandbox = await sandboxServices({ registry: PROFILE.registry });
  const render: typeof sandbox.renderer.render = async (job, options): Promise<RenderedImage> => {
    renderings.push(options.signal);
    const image = await sandbox.renderer.render(job, options);
    await rendering.pass();
    options.signal.throwIfAborted();
    return image;
  };
  let searched = 0;
  const { tileScenes } = sandbox;
  const search: typeof tileScenes.search = async (...asked) => {
    const found = await tileScenes.search(...asked);
    searched += 1;
    return found;
  };
  const parts = await sandboxServices({
    registry: PROFILE.registry,
    tileScenes: { ...tileScenes, search },
    units,
    now: () => new Date(NOW),
    renderer: { ...sandbox.renderer, render },
    addressLimits: { take: async () => undefined, removeExpired: async () => {} },
    tileCacheBytes: 16 * 1_048_576,
  });
  const service = await testService(parts, { profile: PROFILE, check: false });
  try {
    await work({
      service,
      parts,
      units,
      store: inner,
      rendering,
      charging,
      renderings,
      planned: (requests) => expect.poll(() => searched).toBe(requests),
      ask: (key, { signal, path = TILE } = {}) =>
        service.request(path, {
          headers: key === undefined ? {} : { "X-API-Key": key },
          ...(signal === undefined ? {} : { signal }),
        }),
      spent: async (key) => (await units.usage(`account:${key}`, "2026-06")).units / 10_000,
    });
  } finally {
    for (const gate of [rendering, charging]) gate.open();
    await close();
    await inner.close();
  }
}

describeEngines("an image and its charge", (host, engine) => {
  test(
    "a client that leaves while its image is rendered leaves no image behind, and pays nothing of the month",
    { tags: ["UN14"] },
    () =>
      bench(host(), async ({ ask, rendering, renderings, spent }) => {
        rendering.close();
        const client = new AbortController();
        const left = ask("ann", { signal: client.signal });
        await rendering.reached;
        client.abort();
        expect((await left).status).toBe(499);
        expect(renderings[0]?.aborted).toBe(true);
        rendering.open();
        expect((await ask(undefined)).status).toBe(401);
        expect(await spent("ann")).toBe(0);
      }),
  );

  test(
    "a client that leaves while its charge is written leaves no image behind, and pays nothing of the month",
    { tags: ["UN14"] },
    () =>
      bench(host(), async ({ ask, charging, spent }) => {
        charging.close();
        const client = new AbortController();
        const left = ask("ann", { signal: client.signal });
        await charging.reached;
        client.abort();
        expect((await ask(undefined)).status).toBe(401);
        charging.open();
        await left;
        expect((await ask(undefined)).status).toBe(401);
        expect(await spent("ann")).toBe(0);
      }),
  );

  test("nobody finds an image before its charge stands, and everybody does after it", { tags: ["UN14"] }, () =>
    bench(host(), async ({ ask, charging, renderings, spent }) => {
      charging.close();
      const paying = ask("ann");
      await charging.reached;
      expect((await ask(undefined)).status).toBe(401);
      charging.open();
      expect((await paying).headers.get("X-Units-Spent")).toBe("0.25");
      const free = await ask(undefined);
      expect(free.status).toBe(200);
      expect(new Uint8Array(await free.arrayBuffer())).toEqual(new Uint8Array(await (await paying).arrayBuffer()));
      expect(renderings).toHaveLength(1);
      expect(await spent("ann")).toBe(0.25);
    }),
  );

  test(
    "of several who ask at once the first pays, for one rendering, and the others have it as from the cache",
    { tags: ["UN14"] },
    () =>
      bench(host(), async ({ ask, planned, rendering, renderings, spent }) => {
        rendering.close();
        const first = ask("ann");
        await rendering.reached;
        const others = [ask("bob"), ask("cid"), ask("ann"), ask("bob")];
        await planned(5);
        rendering.open();
        const answers = await Promise.all([first, ...others]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
        expect(answers.map(({ headers }) => headers.get("X-Units-Spent"))).toEqual(["0.25", "0", "0", "0", "0"]);
        expect(renderings).toHaveLength(1);
        expect([await spent("ann"), await spent("bob"), await spent("cid")]).toEqual([0.25, 0, 0]);
      }),
  );

  test("where the one who pays leaves, the next who waits pays, for the same rendering", { tags: ["UN14"] }, () =>
    bench(host(), async ({ ask, planned, rendering, renderings, spent }) => {
      rendering.close();
      const client = new AbortController();
      const first = ask("ann", { signal: client.signal });
      await rendering.reached;
      const others = [ask("bob"), ask("cid")];
      await planned(3);
      client.abort();
      expect((await first).status).toBe(499);
      expect(renderings[0]?.aborted).toBe(false);
      rendering.open();
      const answers = await Promise.all(others);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(renderings).toHaveLength(1);
      const paid = [await spent("ann"), await spent("bob"), await spent("cid")];
      expect([...paid].sort()).toEqual([0, 0, 0.25]);
      expect(answers.map(({ headers }) => Number(headers.get("X-Units-Spent")))).toEqual(paid.slice(1));
      expect((await ask(undefined)).status).toBe(200);
    }),
  );

  test("where the one whose turn it is may not pay, the next who waits does", () =>
    bench(host(), async ({ ask, planned, rendering, renderings, units, spent }) => {
      const bob = { id: "account:bob", key: "k", period: "month" } as const;
      units.countUnits(bob, "getTile", 150_000_000, NOW);
      await units.flush();
      rendering.close();
      const client = new AbortController();
      const first = ask("ann", { signal: client.signal });
      await rendering.reached;
      const second = ask("bob");
      await planned(2);
      const third = ask("cid");
      await planned(3);
      client.abort();
      await first;
      rendering.open();
      expect((await second).status).toBe(429);
      expect((await third).headers.get("X-Units-Spent")).toBe("0.25");
      expect(renderings).toHaveLength(1);
      expect(await spent("cid")).toBe(0.25);
    }));

  test(
    "work that its client cuts off gives the month its units back, and the minute keeps them",
    { tags: ["UN2"] },
    () =>
      bench(host(), async ({ ask, rendering, charging }) => {
        for (const gate of [rendering, charging]) {
          gate.close();
          const client = new AbortController();
          const left = ask("ann", { signal: client.signal });
          await gate.reached;
          client.abort();
          gate.open();
          await left;
        }
        // a tile of its own, so that nothing is waited for
        const next = await ask("ann", { path: TILE.replace(".png", ".webp") });
        expect(next.headers.get("X-Units-Remaining")).toBe("9999.75");
        expect(next.headers.get("RateLimit")).toContain('"units-minute";r=299;t=55, "units-month";r=9999;');
        // 300 units less three times 0.25: the header has whole units
        const other = await ask("ann", { path: TILE.replace("/274/", "/275/") });
        expect(other.headers.get("RateLimit")).toContain('"units-minute";r=299;');
        const last = await ask("ann", { path: TILE.replace("/274/", "/275/").replace(".png", ".webp") });
        expect(last.headers.get("RateLimit")).toContain('"units-minute";r=298;');
      }),
  );

  test.runIf(engine === "postgres")(
    "an image is begun while units are reserved by who is known to have them, and ended where another node has spent them",
    () =>
      bench(host(), async ({ ask, rendering, renderings, store }) => {
        const broke = "update unit_payer set spent = 150000000 where payer = 'account:ann'";
        expect((await ask("ann")).status).toBe(200);
        await store.query(broke);
        rendering.close();
        const refused = await ask("ann", { path: TILE.replace(".png", ".webp") });
        expect(refused.status).toBe(429);
        expect(renderings.map(({ aborted }) => aborted)).toEqual([false, true]);
        // from now on it is known: nothing is begun
        expect((await ask("ann", { path: TILE.replace(".png", ".jpg") })).status).toBe(429);
        expect(renderings).toHaveLength(2);
        rendering.open();
        for (const format of [".webp", ".jpg"]) {
          expect((await ask(undefined, { path: TILE.replace(".png", format) })).status).toBe(401);
        }
      }),
  );

  test("nothing is rendered for who has no units left and is not known yet", () =>
    bench(host(), async ({ ask, renderings, units }) => {
      units.countUnits({ id: "account:bob", key: "k", period: "month" }, "getTile", 150_000_000, NOW);
      await units.flush();
      expect((await ask("bob")).status).toBe(429);
      expect(renderings).toHaveLength(0);
    }));

  test("a failed request gives both back", () =>
    bench(host(), async ({ service, parts, ask }) => {
      const broken = { ...parts.renderer, render: () => Promise.reject(new Error("a fault")) };
      const failing = await testService({ ...parts, renderer: broken }, { profile: PROFILE, check: false });
      for (let i = 0; i < 5; i++) {
        expect((await failing.request(TILE, { headers: { "X-API-Key": "ann" } })).status).toBe(500);
      }
      expect(service).toBeDefined();
      expect((await ask("ann")).headers.get("RateLimit")).toContain('"units-minute";r=299;');
    }));

  test("an image by the Model Context Protocol is found by others once its call is charged", () =>
    bench(host(), async ({ service, parts, charging, spent, renderings }) => {
      const [item] = (
        await parts.catalog.search({ collections: ["sentinel-2-l2a"], limit: 1, sortby: [] } as never, {
          signal: new AbortController().signal,
        })
      ).items;
      const session = await startSession(
        {
          ...service,
          request: (path, init = {}) => {
            const headers = new Headers(init.headers);
            headers.set("X-API-Key", "ann");
            return service.request(path, { ...init, headers });
          },
        },
        {},
      );
      charging.close();
      const call = session.call("render", {
        preset: "true-color",
        collection: "sentinel-2-l2a",
        item: item?.id,
        size: 512,
      });
      await charging.reached;
      const other = service.request(`/v1/collections/sentinel-2-l2a/items/${item?.id}/preview.png`, {
        headers: { "X-API-Key": "bob" },
      });
      charging.open();
      await call;
      expect((await other).headers.get("X-Units-Spent")).toBe("0");
      expect(renderings).toHaveLength(1);
      expect(await spent("bob")).toBe(0);
      expect(await spent("ann")).toBeGreaterThan(0);
    }));
});

test("in lean v1 too one rendering answers several at once, and each request counts, whoever leaves", async () => {
  const store = await memoryStore();
  const { limits, close } = accountsOn(store, { now: () => NOW });
  const rendering = new Gate();
  const sandbox = await sandboxServices();
  let renderings = 0;
  let searched = 0;
  const search: typeof sandbox.tileScenes.search = async (...asked) => {
    const found = await sandbox.tileScenes.search(...asked);
    searched += 1;
    return found;
  };
  const render: typeof sandbox.renderer.render = async (job, options) => {
    renderings += 1;
    await rendering.pass();
    return sandbox.renderer.render(job, options);
  };
  const service = await testService({
    limits,
    tileScenes: { ...sandbox.tileScenes, search },
    renderer: { ...sandbox.renderer, render },
    tileCacheBytes: 1e7,
  });
  rendering.close();
  const client = new AbortController();
  const headers = { "X-API-Key": KEY };
  const first = service.request(TILE, { headers, signal: client.signal }).catch(() => undefined);
  await rendering.reached;
  const others = [service.get(TILE), service.get(TILE)];
  await expect.poll(() => searched).toBe(3);
  client.abort();
  rendering.open();
  await first;
  for (const each of others) expect((await each).status).toBe(200);
  expect(renderings).toBe(1);
  await close();
  expect(await store.query("select sum(requests) as requests from usage_count")).toEqual([{ requests: 3 }]);
  await store.close();
});
