import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serialize } from "node:v8";
import { Refusal } from "@swath/engine";
import type { Renderer } from "@swath/engine/node";
import type { ResultStore, Store } from "@swath/store";
import { JobTimeoutError } from "@swath/store/jobs";
import { openResults } from "@swath/store/node";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EngineHost, startEngine } from "../../../../test/tools/engines.ts";
import { hasPostgres } from "../../../../test/tools/postgres-server.ts";
import { openPartMakers, type PartMakers } from "../../src/open/open-part-makers.ts";
import { openStore } from "../../src/open/open-store.ts";

const settings = { jobs: { slots: 4, perProcess: 4, partValues: 1000 } };
const rows = [0, 2, 4].map((from) => ({ from, to: from + 2 }));
/** Three parts of a file of which nothing is read. */
const SET = { name: "a", task: serialize({ job: {}, rows }).toString("base64"), count: 3 };

const title = hasPostgres ? "part makers" : "part makers (skipped: PostgreSQL is not installed)";
describe.skipIf(!hasPostgres)(title, () => {
  let dataDir: string;
  let host: EngineHost;
  const log = pino({ level: "silent" });
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "swath-makers-"));
    host = await startEngine("postgres");
  });
  afterAll(async () => {
    await host?.stop();
    await rm(dataDir, { recursive: true, force: true });
  });

  const results = () => openResults({ dataDir, isPublic: false, s3: { region: "us-west-2" } });

  /** Opens makers over a database of their own, of which one makes parts by the renderer. */
  async function withMakers(
    extract: Renderer["extract"],
    work: (makers: PartMakers, files: ResultStore, store: Store) => Promise<void>,
  ): Promise<void> {
    const store = await openStore(await host.fresh());
    const files = results();
    const makers = await openPartMakers(settings, { store, results: files, log });
    if (makers === undefined) throw new Error("There are makers where parts have a size.");
    const maker = makers.work({ extract });
    try {
      await work(makers, files, store);
    } finally {
      await maker.stop();
      await makers.close();
      await store.close();
    }
  }

  const { signal } = new AbortController();

  test("keep the code, words and pause of an error that a part ends with, and say of another what it said", async () => {
    const away = new Refusal("upstream-unavailable", [], "The archive does not answer.", { retryAfter: 600 });
    for (const [error, kept] of [
      [new Error("odd"), { message: "odd" }],
      [new JobTimeoutError(), { code: "render-timeout", message: new JobTimeoutError().message }],
      [away, { code: away.code, message: away.message, retryAfter: 600 }],
    ] as const) {
      await withMakers(
        () => Promise.reject(error),
        (makers) => expect(makers.of("1").carryOut(SET, { signal })).rejects.toMatchObject(kept),
      );
    }
  });

  test("end a file with the scene that a part cannot read", () =>
    withMakers(
      async () => ({ kind: "unreadable", scene: "s", reason: "a file is damaged" }),
      async (makers) => {
        await expect(makers.of("1").carryOut(SET, { signal })).rejects.toMatchObject({
          name: "SceneUnreadable",
          scene: { scene: "s", reason: "a file is damaged" },
        });
      },
    ));

  test("leave parts to the next worker where a job is taken over, and remove them where it has ended", () =>
    withMakers(
      async ({ path }, { rows: part }) => {
        await writeFile(path, "blocks");
        return { kind: "part", part: { layout: "", rows: part!, blockSizes: [], size: 6 }, used: [], counts: [] };
      },
      async (makers, files, store) => {
        const parts = makers.of("1");
        const made = (await parts.carryOut(SET, { signal })) as readonly { readonly id: string }[];
        const found = async () => Promise.all(made.map(async ({ id }) => (await files.find(id, "part.blocks"))?.size));
        expect(await found()).toEqual([6, 6, 6]);
        const kept = async () => Number((await store.query("select count(*) as n from part"))[0]?.n);
        await parts.forget("a", { signal: AbortSignal.abort(new Error("stopping")) });
        expect(await kept()).toBe(3);
        await parts.forget("a", { signal: AbortSignal.abort(new JobTimeoutError()) });
        expect([await kept(), await found()]).toEqual([0, [undefined, undefined, undefined]]);
        await parts.carryOut(SET, { signal });
        await makers.removeExpired(Date.now() - 60_000);
        expect(await kept()).toBe(3);
        await makers.removeExpired(Date.now() + 60_000);
        expect(await kept()).toBe(0);
      },
    ));
});

test("a setting of parts without what it needs stops the start with its name", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "swath-makers-"));
  const store = await openStore({ dataDir });
  try {
    const opening = openPartMakers(settings, {
      store,
      results: openResults({ dataDir, isPublic: false, s3: { region: "us-west-2" } }),
      log: pino({ level: "silent" }),
    });
    await expect(opening).rejects.toThrow("SWATH_JOB_PART_VALUES: Parts of jobs need a store on PostgreSQL.");
    expect(
      await openPartMakers(
        { jobs: { slots: 4, perProcess: 4 } },
        { store, results: openResults({ dataDir, isPublic: false, s3: { region: "us-west-2" } }), log: pino() },
      ),
    ).toBeUndefined();
  } finally {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});
