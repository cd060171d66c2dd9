import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { searches } from "../../../../test/tools/searches.ts";
import { type JobQueue, QueueFullError } from "../../src/jobs/queue.ts";
import { storedJobs } from "../../src/jobs/stored-queue.ts";
import { openStore, type StoreSettings } from "../../src/node/open-store.ts";
import type { Store } from "../../src/store.ts";

const LEASE = 10_000;
/** A lease that no process outlives, however slow the machine is: those of killed workers are ended by the test. */
const LONG_LEASE = 3_600_000;
/** Jobs and kills of the tests with real processes; larger numbers are run at night and by hand. */
const JOBS = Number(process.env.SWATH_TEST_JOBS ?? searches(60, 120));
const KILLS = Number(process.env.SWATH_TEST_KILLS ?? searches(4, 30));

interface Parts {
  readonly queue: JobQueue;
  readonly store: Store;
  readonly clock: { now: number };
}

describeEngines("the job queue", (host) => {
  const withQueue = async (work: (parts: Parts) => Promise<void>): Promise<void> => {
    const store = await openStore(await host().fresh());
    const clock = { now: 1_781_000_000_000 };
    try {
      await work({ queue: storedJobs(store, { now: () => clock.now, maxOfAccounts: 80 }), store, clock });
    } finally {
      await store.close();
    }
  };
  const submit = (queue: JobQueue, owner = "ann", request: unknown = { a: [1, null] }) =>
    queue.submit({ owner, kind: "process", request });

  test("a job is queued, claimed, reported, finished and found", { tags: ["K4"] }, () =>
    withQueue(async ({ queue, clock }) => {
      const job = await submit(queue);
      expect(job).toMatchObject({ owner: "ann", status: "queued", created: clock.now, progress: 0 });
      expect(await queue.find(job.id, "ann")).toEqual(job);
      clock.now += 5;
      expect(await queue.claim("w1", LEASE)).toMatchObject({
        id: job.id,
        status: "running",
        request: { a: [1, null] },
      });
      clock.now += 5;
      expect(await queue.renew(job.id, "w1", 0.25, LEASE)).toBe(true);
      expect(await queue.find(job.id, "ann")).toMatchObject({ progress: 0.25, updated: clock.now });
      expect(await queue.finish(job.id, "w1", { result: { files: ["x"] } })).toBe(true);
      const done = await queue.find(job.id, "ann");
      expect(done).toMatchObject({ status: "done", progress: 1, result: { files: ["x"] } });
      expect(done).not.toHaveProperty("error");
      expect(await queue.finish(job.id, "w1", { error: {} })).toBe(false);
      expect(await queue.claim("w1", LEASE)).toBeUndefined();
    }),
  );

  test(
    "of 100 places 20 are kept for keys of the owner; an account has 20, and so has each of those keys",
    { tags: ["K10"] },
    () =>
      withQueue(async ({ queue }) => {
        const take = async (owner: string, account?: string): Promise<unknown> =>
          queue.submit({ owner, kind: "process", request: {}, ...(account === undefined ? {} : { account }) }).then(
            () => "taken",
            ({ code, limits }) => ({ code, limits }),
          );
        const full = (maxUnfinishedJobs: number, unfinishedJobs = maxUnfinishedJobs) => ({
          code: "queue-full",
          limits: { maxUnfinishedJobs, unfinishedJobs },
        });
        for (let i = 0; i < 20; i++) expect(await take(`key-${i % 3}`, "ann")).toBe("taken");
        expect(await take("key-9", "ann")).toEqual(full(20));
        for (let i = 0; i < 60; i++) expect(await take("a key", `account-${i % 3}`)).toBe("taken");
        expect(await take("a key", "late")).toEqual(full(80));
        for (let i = 0; i < 20; i++) expect(await take("owner-1")).toBe("taken");
        expect(await take("owner-1")).toEqual(full(20));
        expect(await take("owner-2")).toEqual(full(100));
      }),
  );

  test("a failed job keeps its error and its progress", () =>
    withQueue(async ({ queue }) => {
      const job = await submit(queue);
      await queue.claim("w", LEASE);
      await queue.renew(job.id, "w", 0.5, LEASE);
      await queue.finish(job.id, "w", { error: { code: "render-timeout" } });
      expect(await queue.find(job.id, "ann")).toMatchObject({
        status: "failed",
        progress: 0.5,
        error: { code: "render-timeout" },
      });
    }));

  test("no identity sees the job of another", { tags: ["K11"] }, () =>
    withQueue(async ({ queue }) => {
      const job = await submit(queue);
      expect(await queue.find(job.id, "bob")).toBeUndefined();
      expect(await queue.find("no-such-id", "ann")).toBeUndefined();
    }),
  );

  test("the oldest job is claimed first", () =>
    withQueue(async ({ queue, clock }) => {
      const ids: string[] = [];
      for (let i = 0; i < 3; i++) {
        clock.now += 1;
        ids.push((await submit(queue, `owner-${i}`)).id);
      }
      const claimed = [await queue.claim("w", LEASE), await queue.claim("w", LEASE), await queue.claim("w", LEASE)];
      expect(claimed.map((job) => job?.id)).toEqual(ids);
    }));

  test("four jobs run at once and not five, and a finished one frees its slot", { tags: ["K9"] }, () =>
    withQueue(async ({ queue }) => {
      for (let i = 0; i < 6; i++) await submit(queue);
      const claims = await Promise.all(Array.from({ length: 6 }, (_, i) => queue.claim(`w${i}`, LEASE)));
      const running = claims.flatMap((job, i) => (job === undefined ? [] : [{ id: job.id, worker: `w${i}` }]));
      expect(running).toHaveLength(4);
      expect(new Set(running.map(({ id }) => id)).size).toBe(4);
      expect(await queue.claim("w9", LEASE)).toBeUndefined();
      const [first, second] = running;
      await queue.finish(first?.id ?? "", first?.worker ?? "", { result: 1 });
      expect(await queue.claim("w9", LEASE)).toBeDefined();
      await queue.release(second?.id ?? "", second?.worker ?? "");
      expect((await queue.claim("w9", LEASE))?.id).toBe(second?.id);
    }),
  );

  test("as many jobs run at once as there are slots, and a node with fewer waits until fewer run", () =>
    withQueue(async ({ queue: four, store, clock }) => {
      const open = (slots: number): JobQueue => storedJobs(store, { now: () => clock.now, slots });
      const [nine, one] = [open(9), open(1)];
      for (let i = 0; i < 12; i++) await submit(nine);
      const claims = await Promise.all(Array.from({ length: 12 }, (_, i) => nine.claim(`w${i}`, LEASE)));
      const running = claims.flatMap((job, i) => (job === undefined ? [] : [{ id: job.id, worker: `w${i}` }]));
      expect(running).toHaveLength(9);
      expect(await four.claim("w", LEASE)).toBeUndefined();
      const end = async (count: number): Promise<void> => {
        for (const { id, worker } of running.splice(0, count)) await nine.finish(id, worker, { result: 1 });
      };
      await end(5);
      expect(await four.claim("w", LEASE)).toBeUndefined();
      await end(1);
      expect(await four.claim("w", LEASE)).toBeDefined();
      expect(await one.claim("w", LEASE)).toBeUndefined();
      // the leases of all have ended: rows of more slots than one are there, and one of them is taken
      clock.now += LEASE + 1;
      expect(await one.claim("w", LEASE)).toBeDefined();
      expect(await one.claim("w", LEASE)).toBeUndefined();
    }));

  test.each([0, 65, 1.5, Number.NaN])("%d slots are refused", (slots) =>
    withQueue(async ({ store }) => {
      expect(() => storedJobs(store, { slots })).toThrow(`Expected 1 to 64 slots, got ${slots}.`);
    }),
  );

  test("a dead worker's job goes to another after its lease, and the dead one's outcome is not published", () =>
    withQueue(async ({ queue, clock }) => {
      const job = await submit(queue);
      await queue.claim("dead", LEASE);
      clock.now += LEASE;
      expect(await queue.claim("alive", LEASE)).toBeUndefined();
      clock.now += 1;
      expect(await queue.claim("alive", LEASE)).toMatchObject({ id: job.id, progress: 0 });
      expect(await queue.renew(job.id, "dead", 0.9, LEASE)).toBe(false);
      expect(await queue.finish(job.id, "dead", { result: "dead" })).toBe(false);
      await queue.release(job.id, "dead");
      expect(await queue.finish(job.id, "alive", { result: "alive" })).toBe(true);
      expect(await queue.find(job.id, "ann")).toMatchObject({ status: "done", result: "alive" });
    }));

  test("a late renewal holds while no other worker has the slot, and fails once one has", () =>
    withQueue(async ({ queue, clock }) => {
      const slow = await submit(queue);
      await queue.claim("slow", LEASE);
      clock.now += LEASE + 1;
      expect(await queue.renew(slow.id, "slow", 0.1, LEASE)).toBe(true);
      clock.now += LEASE + 1;
      for (let i = 0; i < 4; i++) {
        clock.now += 1;
        await submit(queue, "bob");
      }
      // the oldest job is the slow one's own: it is taken first, then three of the others
      const claims = [];
      for (let i = 0; i < 5; i++) claims.push(await queue.claim("quick", LEASE));
      expect(claims.map((job) => job?.owner)).toEqual(["ann", "bob", "bob", "bob", undefined]);
      expect(await queue.renew(slow.id, "slow", 0.2, LEASE)).toBe(false);
    }));

  test("a job that takes down worker after worker fails after the fifth", () =>
    withQueue(async ({ queue, clock }) => {
      const job = await submit(queue);
      for (let i = 0; i < 5; i++) {
        expect(await queue.claim(`w${i}`, LEASE)).toMatchObject({ id: job.id });
        clock.now += LEASE + 1;
      }
      expect(await queue.claim("w5", LEASE)).toBeUndefined();
      expect(await queue.find(job.id, "ann")).toMatchObject({ status: "failed", error: { code: "internal" } });
      const next = await submit(queue);
      expect((await queue.claim("w5", LEASE))?.id).toBe(next.id);
    }));

  test("handing a job back does not count against it", () =>
    withQueue(async ({ queue }) => {
      const job = await submit(queue);
      for (let i = 0; i < 8; i++) {
        expect((await queue.claim("w", LEASE))?.id).toBe(job.id);
        await queue.release(job.id, "w");
      }
      expect(await queue.find(job.id, "ann")).toMatchObject({ status: "queued" });
    }));

  test("an owner may have 20 unfinished jobs and the service 100, however many ask at once", { tags: ["K10"] }, () =>
    withQueue(async ({ queue }) => {
      const refused = async (attempt: Promise<unknown>): Promise<QueueFullError> =>
        attempt.then(
          () => expect.fail("the job was accepted"),
          (error: unknown) => error as QueueFullError,
        );
      const results = await Promise.allSettled(Array.from({ length: 30 }, () => submit(queue, "owner-0")));
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
      const own = await refused(submit(queue, "owner-0"));
      expect(own).toBeInstanceOf(QueueFullError);
      expect(own).toMatchObject({ code: "queue-full", retryAfter: 30 });
      expect(own.limits).toEqual({ maxUnfinishedJobs: 20, unfinishedJobs: 20 });
      for (let owner = 1; owner < 5; owner++) {
        for (let i = 0; i < 20; i++) await submit(queue, `owner-${owner}`);
      }
      const all = await refused(submit(queue, "newcomer"));
      expect(all).toMatchObject({ code: "queue-full", message: expect.stringContaining("service") });
      const job = await queue.claim("w", LEASE);
      expect(await refused(submit(queue, "newcomer"))).toMatchObject({ code: "queue-full" });
      await queue.finish(job?.id ?? "", "w", { result: null });
      await submit(queue, "newcomer");
    }),
  );

  test("expired jobs go in every state, and their places are free again", { tags: ["K12"] }, () =>
    withQueue(async ({ queue, clock }) => {
      const old = [await submit(queue), await submit(queue), await submit(queue)];
      const running = await queue.claim("w", LEASE);
      const done = await queue.claim("w", LEASE);
      await queue.finish(done?.id ?? "", "w", { result: 1 });
      clock.now += 1000;
      const fresh = await submit(queue);
      expect([...(await queue.removeExpired(clock.now))].sort()).toEqual(old.map(({ id }) => id).sort());
      expect(await queue.removeExpired(clock.now)).toEqual([]);
      expect(await queue.find(old[0]?.id ?? "", "ann")).toBeUndefined();
      expect(await queue.renew(running?.id ?? "", "w", 0.5, LEASE)).toBe(false);
      expect(await queue.finish(running?.id ?? "", "w", { result: 1 })).toBe(false);
      for (let i = 0; i < 3; i++) await submit(queue);
      const claims = await Promise.all(Array.from({ length: 5 }, () => queue.claim("w", LEASE)));
      expect(claims.filter((job) => job !== undefined)).toHaveLength(4);
      expect(claims.some((job) => job?.id === fresh.id)).toBe(true);
    }),
  );

  interface Crowd {
    readonly store: Store;
    readonly queue: JobQueue;
    start(): Promise<void>;
    /** Kills a process that runs, any of them. */
    kill(): Promise<void>;
    /** Lets the time pass for which jobs are held for workers that were killed. */
    endLeasesOfKilled(): Promise<void>;
  }

  /** Worker processes on one database, and a table in which each notes when it began and ended a job. */
  const withCrowd = async (
    options: { workMs: number; slots?: number },
    work: (crowd: Crowd) => Promise<void>,
  ): Promise<void> => {
    const settings: StoreSettings = await host().fresh();
    const store = await openStore(settings);
    await store.exec("create table run(job text, worker text, began double precision, ended double precision)");
    // those that run, by the names of their workers
    const children = new Map<string, ChildProcess>();
    const killed: string[] = [];
    const start = async (): Promise<void> => {
      const worker = randomUUID();
      const setup = JSON.stringify({ settings, worker, leaseMs: LONG_LEASE, ...options });
      const child = fork(new URL("../children/worker.ts", import.meta.url), [setup], {
        execArgv: ["--conditions=@swath/source"],
      });
      children.set(worker, child);
      child.once("exit", () => children.delete(worker));
      await once(child, "message");
    };
    const kill = async (): Promise<void> => {
      const victims = [...children];
      const [worker, child] = victims[Math.floor(Math.random() * victims.length)] as [string, ChildProcess];
      child.kill("SIGKILL");
      await once(child, "exit");
      killed.push(worker);
    };
    // a server may carry out the last statements of a process that is dead: called again and again
    const endLeasesOfKilled = (): Promise<void> =>
      store.transaction("jobs", async (db) => {
        for (const worker of killed) {
          await db.query("update slot set lease = 0 where job in (select id from job where worker = $1)", [worker]);
          await db.query("update job set lease = 0 where worker = $1", [worker]);
        }
      });
    try {
      await work({ store, queue: storedJobs(store), start, kill, endLeasesOfKilled });
    } finally {
      await Promise.all(
        [...children.values()].map(async (child) => {
          child.kill("SIGKILL");
          await once(child, "exit");
        }),
      );
      await store.close();
    }
  };

  /** Submits jobs as fast as the queue takes them, until there are enough. */
  const feed = async (queue: JobQueue, isEnough: (count: number) => boolean): Promise<readonly string[]> => {
    const accepted: string[] = [];
    while (!isEnough(accepted.length)) {
      try {
        accepted.push(
          (await queue.submit({ kind: "process", owner: `o${accepted.length % 10}`, request: { n: accepted.length } }))
            .id,
        );
      } catch (error) {
        if (!(error instanceof QueueFullError)) throw error;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
    return accepted;
  };

  const untilAllDone = async ({ store, endLeasesOfKilled }: Crowd): Promise<void> => {
    for (;;) {
      await endLeasesOfKilled();
      const rows = await store.query("select count(*) as n from job where status in ('queued', 'running')");
      if (rows[0]?.n === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };

  /** The most that ran at the same time. */
  const mostAtOnce = (runs: readonly { began: number; ended: number }[]): number => {
    const edges = runs.flatMap(({ began, ended }) => [
      { at: began, step: 1 },
      { at: ended, step: -1 },
    ]);
    edges.sort((a, b) => a.at - b.at || a.step - b.step);
    let [now, most] = [0, 0];
    for (const { step } of edges) {
      now += step;
      most = Math.max(most, now);
    }
    return most;
  };

  test.for([{ slots: 4 }, { slots: 7 }])(
    `eight processes run ${JOBS} jobs, each once, and never more than $slots at a time`,
    { tags: ["K9"], timeout: 600_000 },
    ({ slots }) =>
      withCrowd({ workMs: 5, slots }, async (crowd) => {
        const { store, queue, start } = crowd;
        await Promise.all(Array.from({ length: 8 }, start));
        const accepted = await feed(queue, (count) => count === JOBS);
        await untilAllDone(crowd);
        const runs = (await store.query("select job, worker, began, ended from run")) as unknown as {
          job: string;
          worker: string;
          began: number;
          ended: number;
        }[];
        expect(runs.map(({ job }) => job).sort()).toEqual([...accepted].sort());
        expect(new Set(runs.map(({ worker }) => worker)).size).toBeGreaterThan(1);
        expect(mostAtOnce(runs)).toBeLessThanOrEqual(slots);
        expect(await store.query("select status, count(*) as n from job group by status")).toEqual([
          { status: "done", n: JOBS },
        ]);
      }),
  );

  test(
    `${KILLS} workers killed at random moments lose no accepted job, and each has one result`,
    { tags: ["K13"], timeout: 600_000 },
    () =>
      withCrowd({ workMs: 40 }, async (crowd) => {
        const { store, queue, start, kill, endLeasesOfKilled } = crowd;
        await Promise.all(Array.from({ length: 5 }, start));
        let kills = 0;
        const feeding = feed(queue, () => kills === KILLS);
        const runs = async (): Promise<number> => {
          await endLeasesOfKilled();
          return Number((await store.query("select count(*) as n from run"))[0]?.n);
        };
        for (; kills < KILLS; kills++) {
          const before = await runs();
          // the time is for workers that do not go on
          await expect.poll(runs, { timeout: 300_000 }).toBeGreaterThan(before);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 200));
          await kill();
          await start();
        }
        const accepted = await feeding;
        await untilAllDone(crowd);
        const rows = await store.query("select id, status, result, attempts from job");
        expect(rows.map(({ id }) => String(id)).sort()).toEqual([...accepted].sort());
        expect(rows.filter(({ status }) => status !== "done")).toEqual([]);
        // what a worker publishes names the job, so that a result of another job or half a one would show
        expect(rows.every(({ id, result }) => JSON.parse(String(result)).job === id)).toBe(true);
      }),
  );
});
