import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, inject, test } from "vitest";
import { hasPostgres } from "../../../../test/tools/postgres-server.ts";
import { searches } from "../../../../test/tools/searches.ts";
import { drive, Tally } from "./fleet/drive.ts";
import { type Fleet, startFleet } from "./fleet/fleet.ts";
import { ended, fetchFile, landsatBody, submit } from "./fleet/jobs.ts";

/**
 * A short, light run by default, with more kills at night; a long one by hand, e.g. SWATH_FLEET_RATE=100 SWATH_FLEET_SECONDS=300 SWATH_FLEET_KILLS=50.
 * Limits are in proportion to the rate: at 100 they are those of the specification.
 */
const RATE = Number(process.env.SWATH_FLEET_RATE ?? 20);
const SECONDS = Number(process.env.SWATH_FLEET_SECONDS ?? 10);
const KILLS = Number(process.env.SWATH_FLEET_KILLS ?? searches(2, 20));
const START_MS = 120_000;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

let fleet: Fleet | undefined;
afterEach(async () => {
  await fleet?.close();
  fleet = undefined;
});

/** Secrets of the stores. */
const secretsOf = ({ s3, archive }: Fleet): string[] => [s3, archive].map(({ account }) => account.secretAccessKey);

/** Addresses that need a key, and so count. */
const PATHS = [
  "/v1/search?limit=2",
  "/v1/tiles/true-color/WebMercatorQuad/11/1102/730.png?datetime=2024-07-04/2024-07-04",
  "/v1/tiles/false-color/WebMercatorQuad/11/1101/731.png?datetime=2024-07-04/2024-07-04",
  "/v1/tiles/true-color/WebMercatorQuad/11/1101/730.png?datetime=2024-07-04/2024-07-04",
  "/v1/tiles/ndvi/WebMercatorQuad/11/1101/730.png?datetime=2024-07-04/2024-07-04",
  "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=64",
];

const title = hasPostgres ? "a fleet" : "a fleet (skipped: PostgreSQL is not installed)";
describe.skipIf(!hasPostgres)(title, () => {
  test(
    `two api nodes and two workers keep limits and jobs under ${RATE} requests a second for ${SECONDS} s, with a node killed on the way`,
    async () => {
      const environment = {
        SWATH_LIMIT_KEY_RPS: String(RATE / 2),
        SWATH_LIMIT_KEY_BURST: String(RATE),
        SWATH_LIMIT_SERVICE_RPS: String(RATE),
        SWATH_LIMIT_SERVICE_BURST: String(2 * RATE),
      };
      fleet = await startFleet(inject("sandbox"), { environment: () => environment });
      const { ask, apis, s3, archive, store } = fleet;
      const [greedy, modest, owner] = await Promise.all(["greedy", "modest", "jobs"].map(fleet.createKey));
      if (greedy === undefined || modest === undefined || owner === undefined) throw new Error("Expected three keys.");
      const get = (path: string, secret: string): Promise<Response> => ask(path, { headers: { "X-API-Key": secret } });
      for (const path of PATHS) expect([path, (await get(path, modest.secret)).status]).toEqual([path, 200]);

      const tallies = { greedy: new Tally(), modest: new Tally() };
      const accepted: string[] = [];
      const faults: string[] = [];
      let refused = 0;
      const started = performance.now();
      const asks = (tally: Tally, secret: string) => async (i: number) => {
        const sent = performance.now();
        const response = await get(PATHS[i % PATHS.length] ?? "/v1", secret);
        if (response.status >= 500) faults.push(await response.text());
        tally.add(response.status, performance.now() - sent);
      };
      // 65 % by a key that may send 50 %, the others by one that keeps to its limit: it sends one after the other
      const load = Promise.all([
        drive({ seconds: SECONDS, perSecond: RATE * 0.65, together: 64 }, asks(tallies.greedy, greedy.secret)),
        drive({ seconds: SECONDS, perSecond: RATE * 0.35, together: 1 }, asks(tallies.modest, modest.secret)),
      ]);
      const jobs = drive({ seconds: SECONDS, perSecond: 1, together: 4 }, async (i) => {
        const { id, status, text } = await submit(fleet as Fleet, owner.secret, i);
        if (id !== undefined) accepted.push(id);
        else if (status === 429) refused += 1;
        else faults.push(text);
      });
      await pause((SECONDS / 2) * 1000);
      await apis[0]?.kill();
      await pause(500);
      await apis[0]?.start();
      await Promise.all([load, jobs]);
      const seconds = (performance.now() - started) / 1000;

      const deadline = performance.now() + 180_000;
      const done = await Promise.all(accepted.map((id) => ended(fleet as Fleet, owner.secret, id, deadline)));

      const served = (tally: Tally): number => tally.count((status) => status < 400);
      const most = (RATE / 2) * seconds + RATE;
      const all = served(tallies.greedy) + served(tallies.modest);
      const usage = await store.query("select key_id, requests from usage_count where month = $1", [
        new Date().toISOString().slice(0, 7),
      ]);
      const counted = Number(usage.find((row) => row.key_id === greedy.id)?.requests);
      console.log(
        JSON.stringify({
          seconds: Math.round(seconds),
          greedy: { statuses: tallies.greedy.statuses, most: Math.round(most), counted },
          modest: tallies.modest.statuses,
          perSecond: Math.round((all / seconds) * 10) / 10,
          p50: tallies.modest.percentile(0.5),
          p99: tallies.modest.percentile(0.99),
          refused: tallies.greedy.count((status) => status === 429),
          jobs: { done: done.filter(({ status }) => status === "done").length, of: done.length, refused },
          faults: faults.length,
          broken: fleet.broken(),
        }),
      );
      expect(faults).toEqual([]);
      expect(done.filter(({ status }) => status !== "done").map(({ error }) => error)).toEqual([]);
      for (const job of done) await fetchFile(fleet, job);
      for (const tally of Object.values(tallies)) expect(tally.count((status) => status >= 500)).toBe(0);
      expect(tallies.modest.count((status) => status === 429)).toBe(0);
      expect(served(tallies.greedy)).toBeLessThanOrEqual(most * 1.01);
      expect(all).toBeLessThanOrEqual((RATE * seconds + 2 * RATE) * 1.01);
      // everything the stores were asked was signed, and said who pays
      for (const { records } of [s3, archive]) expect(records.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
      const log = await readFile(fleet.logs, "utf8");
      for (const secret of [greedy, modest, owner].map(({ secret }) => secret).concat(secretsOf(fleet))) {
        expect(log.includes(secret)).toBe(false);
      }
    },
    START_MS + (SECONDS + 200) * 1000,
  );

  test("Landsat is read from the store of the archives, and results go to the fleet's own", {
    tags: ["AF4"],
    timeout: START_MS + 120_000,
  }, async () => {
    fleet = await startFleet(inject("sandbox"), { apis: 1, workers: 1 });
    const { s3, archive } = fleet;
    const owner = await fleet.createKey("landsat");
    const { id, status, text } = await submit(fleet, owner.secret, 0, landsatBody());
    expect([status, text]).toEqual([202, expect.anything()]);
    const job = await ended(fleet, owner.secret, id ?? "", performance.now() + 100_000);
    expect([job.status, job.error]).toEqual(["done", undefined]);
    await fetchFile(fleet, job);
    const tile = await fleet.ask("/v1/tiles/true-color/WebMercatorQuad/9/275/182.png?collection=landsat-ot-l2", {
      headers: { "X-API-Key": owner.secret },
    });
    expect([tile.status, Number(tile.headers.get("X-Scenes-Used"))]).toEqual([200, expect.any(Number)]);

    const asked = archive.records.map(({ target }) => target.split("/")[1]);
    expect(new Set(asked)).toEqual(new Set(["usgs-landsat"]));
    expect(archive.records.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    for (const { method, headers } of archive.records) {
      expect([method, headers["x-amz-request-payer"]]).toEqual(["GET", "requester"]);
      expect(headers.authorization).toContain(`Credential=${archive.account.accessKeyId}/`);
      expect(headers.authorization).toContain(`/${archive.region}/s3/aws4_request`);
    }
    expect(archive.objects.size).toBe(0);
    expect(s3.objects.size).toBe(1);
    expect([...s3.objects.keys()][0]).toMatch(/^results\/swath\/[0-9a-f]{32}\//);
    expect(s3.records.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    for (const { headers } of s3.records) {
      expect(headers.authorization).toContain(`Credential=${s3.account.accessKeyId}/`);
      expect(headers.authorization).toContain(`/${s3.region}/s3/aws4_request`);
      expect(headers["x-amz-request-payer"]).toBeUndefined();
    }
    const log = await readFile(fleet.logs, "utf8");
    for (const secret of secretsOf(fleet)) expect(log.includes(secret)).toBe(false);
  });

  test(
    `${KILLS} kills at random moments lose no accepted job and publish no half result`,
    async () => {
      fleet = await startFleet(inject("sandbox"));
      const { nodes, s3 } = fleet;
      const owner = await fleet.createKey("jobs");
      const accepted: string[] = [];
      let killing = true;
      const submitting = (async () => {
        for (let i = 0; killing; i++) {
          const { id } = await submit(fleet as Fleet, owner.secret, i);
          if (id !== undefined) accepted.push(id);
          await pause(id === undefined ? 1000 : 300);
        }
      })();
      for (let i = 0; i < KILLS; i++) {
        await pause(300 + Math.random() * 1500);
        const node = nodes[Math.floor(Math.random() * nodes.length)];
        await node?.kill();
        await node?.start();
      }
      killing = false;
      await submitting;
      const deadline = performance.now() + 300_000;
      const done = await Promise.all(accepted.map((id) => ended(fleet as Fleet, owner.secret, id, deadline)));
      const failed = done.filter(({ status }) => status !== "done").map(({ error }) => error);
      const links = new Set<string>();
      for (const job of done) {
        await fetchFile(fleet, job);
        links.add(new URL(job.files?.[0]?.url ?? "").pathname);
      }
      console.log(
        JSON.stringify({ kills: KILLS, accepted: accepted.length, failed: failed.length, objects: s3.objects.size }),
      );
      expect(failed).toEqual([]);
      expect(links.size).toBe(accepted.length);
      // an object that no job names was sent by a worker that died before it could say so: it is whole, and unknown
      for (const [name, { bytes }] of s3.objects)
        expect([name, bytes[0], bytes.byteLength > 1000]).toEqual([name, 0x49, true]);
      expect(s3.records.filter(({ verdict }) => verdict !== "ok")).toEqual([]);
    },
    START_MS + KILLS * 12_000 + 360_000,
  );
});
