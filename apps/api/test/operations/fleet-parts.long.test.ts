import { afterEach, describe, expect, inject, test } from "vitest";
import { hasPostgres } from "../../../../test/tools/postgres-server.ts";
import { searches } from "../../../../test/tools/searches.ts";
import { startCollector, type TraceCollector } from "../../../../test/tools/trace-collector.ts";
import { linkFor } from "../accounts/account-service.ts";
import { accountsOn } from "../accounts/accounts-on.ts";
import { type Fleet, startFleet } from "./fleet/fleet.ts";
import { ended, fetchFile, submit } from "./fleet/jobs.ts";

/** Kills of nodes while they make a file; each is noticed after half a minute, so they are for the night. */
const KILLS = searches(0, 4);
/** Nine parts of 1,024 rows. */
const FILE = {
  input: {
    bounds: { bbox: [12.8, 45.4, 13.1, 45.7] },
    data: [{ type: "sentinel-2-l2a", dataFilter: { ids: ["S2B_T33TUL_20240704T100211_L2A"] } }],
  },
  bands: ["red", "nir"],
  output: { width: 700, height: 9001 },
};
const PART_VALUES = 700 * 1000 * 2;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let fleet: Fleet | undefined;
let collector: TraceCollector | undefined;
afterEach(async () => {
  await fleet?.close();
  await collector?.close();
  [fleet, collector] = [undefined, undefined];
});

/** Names of the objects of the results' bucket that end so. */
const named = ({ s3 }: Fleet, end: string): string[] => [...s3.objects.keys()].filter((name) => name.endsWith(end));

/** A key of an account, which pays. */
async function accountKey({ store }: Fleet): Promise<string> {
  const opened = accountsOn(store, { mailer: { send: async () => {}, close: () => {} } });
  const { signIn, keys } = opened.accounts!;
  const session = await signIn.redeem(await linkFor(store, "ann@example.org", Date.now()));
  const made = await keys.create(session!.account.id, { name: "parts", scopes: ["data"], expires: undefined, max: 2 });
  await opened.close();
  return made.secret;
}

/** The hash of the file of a job, and what the job cost. */
async function makeFile(made: Fleet) {
  const secret = await accountKey(made);
  const { id, status, text } = await submit(made, secret, 0, FILE);
  expect([status, text]).toEqual([202, expect.anything()]);
  const job = await ended(made, secret, id ?? "", performance.now() + 100_000 + KILLS * 60_000);
  expect([job.status, job.error]).toEqual(["done", undefined]);
  const hash = await fetchFile(made, job);
  const charges = await made.store.query("select route, units, requests from unit_count where units > 0");
  expect(await made.store.query("select id from unit_reservation")).toEqual([]);
  return { hash, charges };
}

const title = hasPostgres ? "a large file" : "a large file (skipped: PostgreSQL is not installed)";
describe.skipIf(!hasPostgres)(title, () => {
  test("made in parts by all workers is the file that one makes, costs as much, is one trace, and no part stays", {
    timeout: 300_000 + KILLS * 60_000,
  }, async () => {
    fleet = await startFleet(inject("sandbox"), { apis: 1, workers: 1 });
    const expected = await makeFile(fleet);
    await fleet.close();

    // a worker makes two parts at once: the first three are held until the other worker has sent one of them
    let came = 0;
    let release: (() => void) | undefined;
    const bothMake = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { spans, url, close } = await startCollector();
    collector = { spans, url, close, bodies: [] };
    const several = await startFleet(inject("sandbox"), {
      apis: 1,
      workers: 2,
      environment: () => ({
        SWATH_JOB_PART_VALUES: String(PART_VALUES),
        OTEL_EXPORTER_OTLP_ENDPOINT: url,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_BSP_SCHEDULE_DELAY: "100",
      }),
      async intercept({ method, url }) {
        if (method !== "PUT" || url?.endsWith(".blocks") !== true) return false;
        came += 1;
        if (came === 3) release?.();
        await bothMake;
        return false;
      },
    });
    fleet = several;
    const killing = (async () => {
      for (let kills = 0; kills < KILLS; kills++) {
        while (came <= 2 * kills) await pause(20);
        const worker = several.workers[kills % 2];
        await worker?.kill();
        await worker?.start();
      }
    })();
    const made = await makeFile(several);
    await killing;

    expect(expected.charges).toMatchObject([{ requests: 1 }]);
    expect(made).toEqual(expected);
    expect(came).toBeGreaterThanOrEqual(9);
    expect(named(several, ".tif")).toHaveLength(1);
    if (KILLS === 0) expect(named(several, ".blocks")).toEqual([]);
    if (KILLS === 0) {
      // what a worker that is killed has not sent is lost
      const ofName = (name: string) => spans.filter((span) => span.name === name);
      await expect.poll(() => [ofName("part extract").length, ofName("job process").length]).toEqual([9, 1]);
      const [job] = ofName("job process");
      const made = ofName("part extract");
      expect(new Set(made.map(({ parentSpanId }) => parentSpanId))).toEqual(new Set([job?.spanId]));
      expect(new Set(made.map(({ resource }) => resource["service.instance.id"])).size).toBe(2);
    }
    expect(several.s3.records.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
  });
});
