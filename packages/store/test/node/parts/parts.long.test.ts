import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineHost, startEngine } from "../../../../../test/tools/engines.ts";
import { hasPostgres } from "../../../../../test/tools/postgres-server.ts";
import { isNightly, searches } from "../../../../../test/tools/searches.ts";
import { openStore, type StoreSettings } from "../../../src/node/open-store.ts";
import { openParts, type PartKind, type PartSet, type Parts, type PartTimes } from "../../../src/node/parts/index.ts";
import type { Store } from "../../../src/store.ts";

/** Sets, parts of each and kills of the test with real processes; larger numbers are run at night and by hand. */
const SETS = Number(process.env.SWATH_TEST_PART_SETS ?? searches(10, 100));
const COUNT = Number(process.env.SWATH_TEST_PARTS ?? searches(40, 200));
const KILLS = Number(process.env.SWATH_TEST_KILLS ?? searches(4, 20));
/** No worker is taken for dead, however slow the machine is: the tests let the time pass for those that are. */
const TIMES: PartTimes = {
  pollMs: 20,
  progressMs: 20,
  retryMs: [10, 20],
  heartbeatSeconds: 3600,
  superviseSeconds: 1,
};
const log = { info() {}, warn() {}, error() {} };
const missing = hasPostgres ? "" : " (skipped: Debian's package postgresql is not installed)";

interface Given {
  readonly store: Store;
  readonly settings: StoreSettings;
  readonly parts: Parts;
}

/** A kind whose parts give their number. */
function kindOf(run: PartKind["run"] = async (_task, n) => n): PartKind & { readonly discarded: unknown[] } {
  const discarded: unknown[] = [];
  return {
    name: "note",
    run,
    faultOf: (error) => ({ error: String(error), passes: String(error).includes("passes") }),
    discard: async (result) => {
      discarded.push(result);
    },
    discarded,
  };
}

const setOf = (count: number, more: Partial<PartSet> = {}): PartSet => ({
  id: randomUUID(),
  kind: "note",
  task: "a task",
  count,
  ...more,
});

const { signal } = new AbortController();

/** A promise that is settled by hand. */
function later() {
  let resolve: (value: unknown) => void = () => {};
  const promise = new Promise<unknown>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Lets the time pass after which those who carry out parts now are taken for dead. */
const endHeartbeats = (store: Store) =>
  store.exec("update swath_parts.job set heartbeat_on = now() - interval '2 hours' where state = 'active'");

describe.skipIf(!hasPostgres)(`parts of jobs${missing}`, () => {
  let host: EngineHost;
  beforeAll(async () => {
    host = await startEngine("postgres");
  });
  afterAll(() => host?.stop());

  const withParts = async (work: (given: Given) => Promise<void>, times: PartTimes = {}): Promise<void> => {
    const settings = await host.fresh();
    const store = await openStore(settings);
    const parts = await openParts(store, { log, times: { ...TIMES, ...times } });
    try {
      await work({ store, settings, parts });
    } finally {
      await parts.close();
      await store.close();
    }
  };

  test("results are in the order of the parts, whatever the order in which these end", () =>
    withParts(async ({ parts }) => {
      const kind = kindOf(async (task, n) => {
        await pause(Math.random() * 20);
        return { task, n, text: "x".repeat(100_000) };
      });
      parts.work([kind], { slots: 4 });
      const shown: number[] = [];
      const results = await parts.carryOut(setOf(250), { signal, onProgress: (done) => shown.push(done) });
      const expected = Array.from({ length: 250 }, (_, n) => ({ task: "a task", n, text: "x".repeat(100_000) }));
      expect(results).toEqual(expected);
      expect(shown.at(-1)).toBe(250);
      expect(shown).toEqual([...new Set(shown)].sort((a, b) => a - b));
      expect(kind.discarded).toEqual([]);
      expect(await parts.carryOut(setOf(0), { signal })).toEqual([]);
    }));

  test("a process reads the task of a set once", () =>
    withParts(async ({ store, parts }) => {
      let reads = 0;
      const counted: Store = {
        ...store,
        query(text, parameters) {
          if (/select .*task.* from part_set/.test(text)) reads += 1;
          return store.query(text, parameters);
        },
      };
      const other = await openParts(counted, { log, times: TIMES });
      const task = "t".repeat(1_000_000);
      other.work([kindOf(async (given) => given.length)], { slots: 3 });
      expect(await parts.carryOut(setOf(30, { task }), { signal })).toEqual(Array(30).fill(1_000_000));
      expect(reads).toBe(1);
      await other.close();
    }));

  test("a part that meets a passing fault is carried out again", () =>
    withParts(async ({ parts }) => {
      const tries = [0, 0, 0, 0];
      const kind = kindOf(async (_task, n) => {
        const tried = (tries[n] ?? 0) + 1;
        tries[n] = tried;
        if (n === 2 && tried < 3) throw new Error("it passes");
        return n;
      });
      parts.work([kind]);
      expect(await parts.carryOut(setOf(4), { signal })).toEqual([0, 1, 2, 3]);
      expect(tries).toEqual([1, 1, 3, 1]);
    }));

  test("a fault that does not pass after the last pause is kept", () =>
    withParts(async ({ parts }) => {
      let tries = 0;
      const kind = kindOf(async () => {
        tries += 1;
        throw new Error("it passes");
      });
      parts.work([kind]);
      await expect(parts.carryOut(setOf(1), { signal })).rejects.toMatchObject({
        name: "PartError",
        part: 0,
        error: "Error: it passes",
      });
      expect(tries).toBe(3);
    }));

  test("once a part has failed for good no further one is begun, also when the set is carried out again", () =>
    withParts(async ({ store, parts }) => {
      const begun: number[] = [];
      const kind = kindOf(async (_task, n) => {
        begun.push(n);
        if (n === 3) throw new Error("it stays");
        return n;
      });
      const set = setOf(2000);
      parts.work([kind]);
      const failure = { name: "PartError", message: "Part 3 has failed.", part: 3, error: "Error: it stays" };
      await expect(parts.carryOut(set, { signal })).rejects.toMatchObject(failure);
      await parts.close();
      expect(begun.length).toBeLessThan(2000);
      expect(await store.query("select id from swath_parts.job where state < 'active'")).toEqual([]);
      const again = await openParts(store, { log, times: TIMES });
      const before = begun.length;
      again.work([kind]);
      await expect(again.carryOut(set, { signal })).rejects.toMatchObject(failure);
      expect(begun).toHaveLength(before);
      // results that were kept are given to whoever forgets the set
      const kept = begun.filter((n) => n !== 3).sort((a, b) => a - b);
      expect([...(await again.forget(set.id))].map(Number).sort((a, b) => a - b)).toEqual(kept);
      expect(await again.forget(set.id)).toEqual([]);
      await again.close();
    }));

  test("a set that is forgotten ends: parts that wait are not begun, and one that runs is discarded", () =>
    withParts(async ({ store, parts }) => {
      const begun: number[] = [];
      const held = later();
      const kind = kindOf(async (_task, n) => {
        begun.push(n);
        if (begun.length > 1) await held.promise;
        return `result ${n}`;
      });
      parts.work([kind], { slots: 1 });
      const set = setOf(5);
      const failure = expect(parts.carryOut(set, { signal })).rejects.toMatchObject({
        name: "PartError",
        part: undefined,
      });
      await expect.poll(() => begun.length).toBe(2);
      const [kept, running] = begun;
      expect(await parts.forget(set.id)).toEqual([`result ${kept}`]);
      await failure;
      held.resolve(undefined);
      await expect.poll(() => kind.discarded).toContain(`result ${running}`);
      await parts.close();
      expect(begun).toHaveLength(2);
      expect(await store.query("select n from part")).toEqual([]);
      expect(await store.query("select n from part_claim")).toEqual([]);
      expect(await store.query("select id from swath_parts.job")).toEqual([]);
    }));

  test("expired sets are forgotten, others are not", () =>
    withParts(async ({ store }) => {
      let time = 1000;
      const parts = await openParts(store, { log, times: TIMES, now: () => time });
      parts.work([kindOf()]);
      await parts.carryOut(setOf(2), { signal });
      time = 2000;
      const young = setOf(3);
      await parts.carryOut(young, { signal });
      expect([...(await parts.removeExpired(2000))].sort()).toEqual([0, 1]);
      expect(await parts.removeExpired(2000)).toEqual([]);
      expect(await parts.carryOut(young, { signal })).toEqual([0, 1, 2]);
      await parts.close();
    }));

  test("who waits may leave, and the parts go on", () =>
    withParts(async ({ parts }) => {
      const controller = new AbortController();
      const held = later();
      const kind = kindOf((_task, n) => held.promise.then(() => n));
      const set = setOf(2);
      parts.work([kind]);
      const leaving = expect(parts.carryOut(set, { signal: controller.signal })).rejects.toBe("left");
      controller.abort("left");
      await leaving;
      held.resolve(undefined);
      expect(await parts.carryOut(set, { signal })).toEqual([0, 1]);
    }));

  test("a part that takes too long fails by a fault of its own", () =>
    withParts(
      async ({ parts }) => {
        parts.work([kindOf((_task, _n, options) => until(options.signal))]);
        await expect(parts.carryOut(setOf(1), { signal })).rejects.toMatchObject({
          error: "PartTimeoutError: The part was not finished in the time that a part may take.",
        });
      },
      { partMs: 50 },
    ));

  test("parts of a kind that no worker has fail after the last pause", () =>
    withParts(async ({ parts }) => {
      parts.work([kindOf()]);
      await expect(parts.carryOut(setOf(1, { kind: "other" }), { signal })).rejects.toMatchObject({
        error: { message: 'No part is of kind "other".' },
      });
    }));

  test("parts that are handed back are taken by others, which does not count as an attempt", () =>
    withParts(async ({ store, parts }) => {
      const set = setOf(1);
      const done = parts.carryOut(set, { signal });
      for (let stops = 0; stops < 7; stops++) {
        const begun = later();
        const node = await openParts(store, { log, times: TIMES });
        const worker = node.work([
          kindOf((_task, _n, options) => {
            begun.resolve(undefined);
            return until(options.signal);
          }),
        ]);
        await begun.promise;
        await worker.stop();
        await node.close();
      }
      parts.work([kindOf()]);
      expect(await done).toEqual([0]);
    }));

  /** A worker of a process of its own: notes the parts that it begins, which end when they are let go in that order. */
  const stepwise = (parts: Parts, slots: number) => {
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    parts.work(
      [
        kindOf(async (_task, n) => {
          begun.push(n);
          await new Promise<void>((resolve) => ends.push(resolve));
          return n;
        }),
      ],
      { slots },
    );
    return { begun, letGo: () => ends.shift()?.() };
  };

  test("a worker takes parts in a row, and two that share a set begin far from one another", () =>
    withParts(async ({ store, parts }) => {
      const other = await openParts(store, { log, times: TIMES });
      const set = setOf(11);
      const done = parts.carryOut(set, { signal });
      const first = stepwise(parts, 2);
      await expect.poll(() => first.begun).toEqual([0, 1]);
      const second = stepwise(other, 2);
      await expect.poll(() => second.begun).toEqual([6, 7]);
      for (let n = 2; n < 5; n++) {
        first.letGo();
        await expect.poll(() => first.begun.at(-1)).toBe(n);
        second.letGo();
        await expect.poll(() => second.begun.at(-1)).toBe(n + 6);
      }
      // the run of the other is at its end: it takes what is left
      second.letGo();
      await expect.poll(() => second.begun.at(-1)).toBe(5);
      for (let left = 0; left < 2; left++) {
        first.letGo();
        second.letGo();
      }
      expect(await done).toEqual(Array.from({ length: 11 }, (_, n) => n));
      expect([first.begun, second.begun]).toEqual([
        [0, 1, 2, 3, 4],
        [6, 7, 8, 9, 10, 5],
      ]);
      await other.close();
    }));

  test("many workers that choose at once choose each part once", () =>
    withParts(async ({ store, parts }) => {
      const begun: number[] = [];
      const kind = kindOf(async (_task, n) => begun.push(n));
      const others = await Promise.all(Array.from({ length: 6 }, () => openParts(store, { log, times: TIMES })));
      for (const other of others) other.work([kind], { slots: 4 });
      await parts.carryOut(setOf(120), { signal });
      expect(begun.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, n) => n));
      await Promise.all(others.map((other) => other.close()));
    }));

  test("the part of a worker that is taken for dead is the one that another takes by its ticket", () =>
    withParts(async ({ store, parts }) => {
      const node = await openParts(store, { log, times: TIMES });
      const dead = stepwise(node, 1);
      const done = parts.carryOut(setOf(3), { signal });
      await expect.poll(() => dead.begun).toEqual([0]);
      const begun: number[] = [];
      parts.work(
        [
          kindOf(async (_task, n) => {
            begun.push(n);
            return n;
          }),
        ],
        { slots: 1 },
      );
      await expect.poll(() => begun).toEqual([2, 1]);
      await endHeartbeats(store);
      expect(await done).toEqual([0, 1, 2]);
      expect(begun).toEqual([2, 1, 0]);
      dead.letGo();
      await node.close();
    }));

  test("a part of a set that is forgotten and begun again counts, and ends no ticket of another part", () =>
    withParts(async ({ store, parts }) => {
      const begun: number[] = [];
      const held = later();
      const old = kindOf(async (_task, n) => {
        begun.push(n);
        await held.promise;
        return `old ${n}`;
      });
      const set = setOf(4);
      const forgotten = expect(parts.carryOut(set, { signal })).rejects.toMatchObject({ part: undefined });
      const workers = [parts.work([old], { slots: 1 }), parts.work([old], { slots: 1 })];
      await expect.poll(() => begun.toSorted()).toEqual([0, 2]);
      await parts.forget(set.id);
      await forgotten;
      const stopped = workers.map((worker) => worker.stop());
      const done = parts.carryOut(set, { signal });
      const queued = () => store.query("select id from swath_parts.job where state < 'active'");
      await expect.poll(queued).toHaveLength(4);
      held.resolve(undefined);
      await Promise.all(stopped);
      expect(await queued()).toHaveLength(4);
      parts.work([kindOf()]);
      expect(await done).toEqual(["old 0", 1, "old 2", 3]);
      expect(old.discarded).toEqual([]);
    }));

  test("parts of a small set do not wait for those of a large one", () =>
    withParts(async ({ store, parts }) => {
      const begun: string[] = [];
      const kind = kindOf(async (task, n) => begun.push(`${task} ${n}`));
      const queued = () => store.query("select id from swath_parts.job");
      const large = parts.carryOut(setOf(4, { task: "large" }), { signal });
      await expect.poll(queued).toHaveLength(4);
      const small = parts.carryOut(setOf(2, { task: "small" }), { signal });
      await expect.poll(queued).toHaveLength(6);
      parts.work([kind], { slots: 1 });
      await Promise.all([large, small]);
      expect(begun).toEqual(["small 0", "small 1", "large 0", "large 1", "large 2", "large 3"]);
    }));

  test("each attempt at a part gets the trace of whoever queued it, and none where there is none", () =>
    withParts(async ({ parts }) => {
      const traces: (string | undefined)[] = [];
      const passing = kindOf(async (_task, _n, { trace }) => {
        traces.push(trace);
        if (traces.length < 3) throw new Error("passes");
      });
      parts.work([passing]);
      await parts.carryOut(setOf(1), { signal, trace: "a trace" });
      expect(traces).toEqual(["a trace", "a trace", "a trace"]);
      await parts.carryOut(setOf(1), { signal });
      expect(traces.slice(3)).toEqual([undefined]);
    }));

  test.for([
    { results: ["slow", "quick"], discarded: ["slow"], title: "the result of the second is discarded" },
    { results: ["alike", "alike"], discarded: [], title: "a result that is equal to the one kept is not discarded" },
  ])("of two workers on one part the first one's outcome counts: $title", ({ results, discarded }) =>
    withParts(async ({ store, parts }) => {
      const begun = later();
      const held = later();
      const slow = kindOf(() => {
        begun.resolve(undefined);
        return held.promise;
      });
      const node = await openParts(store, { log, times: TIMES });
      node.work([slow], { slots: 1 });
      const done = parts.carryOut(setOf(1), { signal });
      await begun.promise;
      const quick = kindOf(async () => results[1]);
      parts.work([quick]);
      await endHeartbeats(store);
      expect(await done).toEqual([results[1]]);
      held.resolve(results[0]);
      await node.close();
      expect(slow.discarded).toEqual(discarded);
      expect(quick.discarded).toEqual([]);
      expect(await store.query("select n from part")).toHaveLength(1);
    }),
  );

  test("a worker that is taken for dead is told that another has its part", () =>
    withParts(
      async ({ store, parts }) => {
        const begun = later();
        const ended = later();
        const node = await openParts(store, { log, times: { ...TIMES, heartbeatSeconds: 10 } });
        node.work(
          [
            kindOf((_task, _n, options) => {
              begun.resolve(undefined);
              return until(options.signal).finally(() => ended.resolve("ended"));
            }),
          ],
          { slots: 1 },
        );
        const done = parts.carryOut(setOf(1), { signal });
        await begun.promise;
        const held = later();
        parts.work([kindOf(() => held.promise)]);
        await endHeartbeats(store);
        expect(await ended.promise).toBe("ended");
        held.resolve("of the other");
        expect(await done).toEqual(["of the other"]);
        await node.close();
      },
      { heartbeatSeconds: 10 },
    ));

  interface Crowd extends Given {
    readonly killed: readonly string[];
    /** Starts a process that works. */
    start(more?: { readonly set?: PartSet }): Promise<ChildProcess>;
    /** Kills a process, any of them where none is named. */
    kill(child?: ChildProcess): Promise<void>;
  }

  /** Worker processes on one database, and a table in which each notes a part that it begins. */
  const withCrowd = async (
    { workMs, times = {} }: { readonly workMs: number; readonly times?: PartTimes },
    work: (crowd: Crowd) => Promise<void>,
  ): Promise<void> =>
    withParts(async (given) => {
      await given.store.exec("create table run(task text, n int, worker text)");
      const children = new Map<ChildProcess, string>();
      const killed: string[] = [];
      const start: Crowd["start"] = async (more = {}) => {
        const worker = randomUUID();
        const setup = JSON.stringify({
          settings: given.settings,
          worker,
          workMs,
          times: { ...TIMES, ...times },
          ...more,
        });
        const child = fork(new URL("../../children/part-worker.ts", import.meta.url), [setup], {
          execArgv: ["--conditions=@swath/source"],
        });
        children.set(child, worker);
        child.once("exit", () => children.delete(child));
        // one whose part kills it may be gone before it is heard of
        await Promise.race([once(child, "message"), once(child, "exit")]);
        return child;
      };
      const kill: Crowd["kill"] = async (child) => {
        const all = [...children.keys()];
        const victim = child ?? (all[Math.floor(Math.random() * all.length)] as ChildProcess);
        killed.push(children.get(victim) ?? "");
        const exit = once(victim, "exit");
        victim.kill("SIGKILL");
        await exit;
      };
      try {
        await work({ ...given, killed, start, kill });
      } finally {
        await Promise.all([...children.keys()].map((child) => kill(child)));
      }
    }, times);

  const outcomes = async (store: Store): Promise<number> =>
    Number((await store.query("select count(*) as n from part"))[0]?.n);

  test("after the death of whoever waited, a set goes on where it was", { timeout: 120_000 }, () =>
    withCrowd({ workMs: 20 }, async ({ store, parts, start, kill }) => {
      const set = setOf(200);
      const child = await start({ set });
      await expect.poll(() => outcomes(store), { timeout: 60_000 }).toBeGreaterThan(20);
      await kill(child);
      await endHeartbeats(store);
      const done = new Set((await store.query("select n from part")).map(({ n }) => n));
      expect(done.size).toBeLessThan(200);
      // the chart scales workers by it
      const scale = "ceil((coalesce(sum(count), 0) - (select count(*) from part)) / 2.0) * 3";
      const [scaled] = await store.query(`select ${scale} as n from part_set`);
      expect(Number(scaled?.n)).toBe(3 * Math.ceil((200 - done.size) / 2));
      const begun: number[] = [];
      parts.work([
        kindOf(async (task, n) => {
          begun.push(n);
          return { task, n };
        }),
      ]);
      const results = await parts.carryOut(set, { signal });
      expect(results).toEqual(Array.from({ length: 200 }, (_, n) => ({ task: set.task, n })));
      expect(begun.filter((n) => done.has(n))).toEqual([]);
      expect(new Set(begun).size).toBe(200 - done.size);
    }),
  );

  test("a part that kills five workers fails, and the set ends", { timeout: 120_000 }, () =>
    withCrowd({ workMs: 1 }, async ({ store, parts, start }) => {
      const done = expect(parts.carryOut(setOf(1, { kind: "kill" }), { signal })).rejects.toMatchObject({
        part: 0,
        error: { message: "The part ended 5 workers before it was finished." },
      });
      for (let deaths = 0; deaths < 5; deaths++) {
        const child = await start();
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
        await endHeartbeats(store);
      }
      await start();
      await done;
    }),
  );

  test(
    `of ${SETS} sets of ${COUNT} parts none is lost or counted twice when ${KILLS} of eight workers are killed, which cost their own parts alone`,
    { tags: ["K13"], timeout: isNightly ? 1_800_000 : 600_000 },
    () =>
      withCrowd({ workMs: 5, times: { heartbeatSeconds: 10 } }, async ({ store, parts, killed, start, kill }) => {
        await Promise.all(Array.from({ length: 8 }, () => start()));
        const sets = Array.from({ length: SETS }, (_, i) => setOf(COUNT, { task: `set ${i}` }));
        const waiting = sets.values();
        const results = new Map<string, readonly unknown[]>();
        // as many at once as there are slots of jobs
        const carrying = Promise.all(
          Array.from({ length: 4 }, async () => {
            for (const set of waiting) results.set(set.task, await parts.carryOut(set, { signal }));
          }),
        );
        const killing = async (): Promise<void> => {
          for (let kills = 0; kills < KILLS; kills++) {
            const due = (kills * SETS * COUNT) / (KILLS + 1);
            await expect.poll(() => outcomes(store), { timeout: 600_000 }).toBeGreaterThanOrEqual(due);
            await pause(Math.random() * 200);
            await kill();
            await start();
          }
        };
        await Promise.all([carrying, killing()]);
        for (const { task } of sets) {
          expect(results.get(task)).toEqual(Array.from({ length: COUNT }, (_, n) => ({ task, n })));
        }
        expect(await outcomes(store)).toBe(SETS * COUNT);
        expect(await store.query("select id from swath_parts.job where state <> 'completed'")).toEqual([]);
        const runs = await store.query("select task, n, worker from run");
        const isOfKilled = (worker: unknown): boolean => killed.includes(String(worker));
        const ofLiving = runs.filter(({ worker }) => !isOfKilled(worker)).map(({ task, n }) => `${task} ${n}`);
        expect(new Set(ofLiving).size).toBe(ofLiving.length);
        // each worker has two slots
        expect(runs.length - SETS * COUNT).toBeLessThanOrEqual(2 * KILLS);
      }),
  );
});

/** Never ends but by the signal. */
function until(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
