import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { StoreSettings } from "@swath/store/node";
import { openPostgresStore } from "@swath/store/node/postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { searches } from "../../../../test/tools/searches.ts";
import { isThere } from "../../src/open/backup/backup-file.ts";
import { openStore } from "../../src/open/open-store.ts";
import { type Ended, fill, runProcess, SECRETS, stateOf, writeSecrets } from "./backup-tools.ts";

/** Moments of each command, from its first step to its last. */
const MOMENTS = searches(5, 20);
const TIMEOUT = 300_000;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-backup-kills-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Kills a process when half of what it writes first is in a file. */
const HALF = "half";
type Moment = number | typeof HALF;

/**
 * Kills the process before its step of that number, a call of the file system, of a database or of a program, or within its first
 * write: how many of these there are depends on how fast the disk is. One that ends prints its number of steps.
 */
function killAt(moment: Moment): readonly string[] {
  const source = `
import promises from "node:fs/promises";
import fs from "node:fs";
import children from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
let steps = 0;
const kill = () => process.kill(process.pid, "SIGKILL");
const step = () => {
  steps += 1;
  if (steps === ${JSON.stringify(moment)}) kill();
};
const wrap = (owner, name) => {
  const call = owner[name];
  const counted = function (...args) {
    step();
    return Reflect.apply(call, this, args);
  };
  const custom = call[promisify.custom];
  if (custom) counted[promisify.custom] = (...args) => {
    step();
    return custom(...args);
  };
  owner[name] = counted;
};
const writeHalf = (file, bytes) => {
  fs.writeSync(file, bytes.subarray(0, Math.ceil(bytes.length / 2)));
  kill();
};
if (${moment === HALF}) {
  fs.write = (file, bytes) => writeHalf(file, bytes);
  fs.writev = (file, [bytes]) => writeHalf(file, bytes);
}
for (const name of ["rename", "link", "rm", "mkdir", "mkdtemp", "open", "writeFile", "readdir"]) wrap(promises, name);
for (const name of ["createReadStream", "createWriteStream"]) wrap(fs, name);
wrap(children, "execFile");
for (const name of ["exec", "close"]) wrap(DatabaseSync.prototype, name);
syncBuiltinESMExports();
process.on("exit", () => console.log("steps: " + steps));`;
  return ["--import", `data:text/javascript,${encodeURIComponent(source)}`];
}

const stepsOf = ({ text }: Ended): number => Number(/steps: (\d+)/.exec(text)?.[1]);
/** Steps from the first to the last, all where there are fewer, and the middle of a file. */
const momentsOf = (steps: number): ReadonlySet<Moment> =>
  new Set([...Array.from({ length: MOMENTS }, (_, n) => 1 + Math.round((n / (MOMENTS - 1)) * (steps - 1))), HALF]);

/** Programs of PostgreSQL go on where the command was killed. */
async function programsEnd({ databaseUrl }: StoreSettings): Promise<void> {
  if (databaseUrl === undefined) return;
  const store = openPostgresStore(databaseUrl);
  const programs = "select 1 from pg_stat_activity where application_name in ('psql', 'pg_dump', 'pg_restore')";
  while ((await store.query(programs)).length > 0) await pause(50);
  await store.close();
}

describeEngines("a command that is killed", (host, engine) => {
  const wholeState = async (settings: StoreSettings) => {
    const secrets: string[] = [];
    const rows = await stateOf(settings);
    if (engine === "sqlite")
      for (const name of SECRETS) secrets.push(await readFile(join(settings.dataDir, name), "utf8"));
    return { rows, secrets };
  };
  const change = async (settings: StoreSettings, mark: string): Promise<void> => {
    const store = await openStore(settings);
    await fill(store, mark);
    await store.close();
    await writeSecrets(settings.dataDir, mark);
  };

  test(
    "while it backs up leaves the whole file or none, and the state as it was",
    async () => {
      const settings = await host().fresh();
      await change(settings, "first");
      const state = await wholeState(settings);
      const all = join(folder, `${engine}-all`);
      const steps = stepsOf(await runProcess(["backup", all], settings, killAt(0)));
      expect(steps).toBeGreaterThan(10);
      const there: boolean[] = [];
      for (const moment of momentsOf(steps)) {
        const file = join(folder, `${engine}-${moment}`);
        const { code } = await runProcess(["backup", file], settings, killAt(moment));
        expect([moment, code]).toEqual([moment, null]);
        await programsEnd(settings);
        there.push(await isThere(file));
        if (moment === HALF) {
          const written = (await readdir(folder, { recursive: true, withFileTypes: true }))
            .filter((entry) => entry.isFile())
            .map(({ parentPath, name }) => join(parentPath, name))
            .filter((path) => path.startsWith(file));
          const sizes = await Promise.all(written.map(async (path) => (await stat(path)).size));
          const { size: whole } = await stat(all);
          expect(sizes.filter((size) => size > 0 && size < whole)).toHaveLength(1);
        }
        expect(await wholeState(settings)).toEqual(state);
        if (!there.at(-1)) continue;
        const into = await host().fresh();
        expect(await runProcess(["restore", file], into)).toMatchObject({ code: 0 });
        expect((await wholeState(into)).rows).toEqual(state.rows);
      }
      expect(new Set(there)).toEqual(new Set([false, true]));
    },
    TIMEOUT,
  );

  test(
    "while it restores leaves the state before or that of the backup, with its secrets, and is done again",
    async () => {
      const settings = await host().fresh();
      await change(settings, "first");
      const restored = await wholeState(settings);
      const file = join(folder, `${engine}-first`);
      expect(await runProcess(["backup", file], settings)).toMatchObject({ code: 0 });
      await change(settings, "second");
      const before = await wholeState(settings);
      const later = join(folder, `${engine}-second`);
      expect(await runProcess(["backup", later], settings)).toMatchObject({ code: 0 });
      const steps = stepsOf(await runProcess(["restore", file, "--yes"], settings, killAt(0)));
      expect(await wholeState(settings)).toEqual(restored);
      const outcomes = new Set<string>();
      for (const moment of momentsOf(steps)) {
        expect(await runProcess(["restore", later, "--yes"], settings)).toMatchObject({ code: 0 });
        if (engine === "sqlite") expect(await wholeState(settings)).toEqual(before);
        const { code } = await runProcess(["restore", file, "--yes"], settings, killAt(moment));
        expect([moment, code]).toEqual([moment, null]);
        await programsEnd(settings);
        const state = await wholeState(settings);
        const isNew = state.rows.account?.length === restored.rows.account?.length;
        outcomes.add(isNew ? "new" : "old");
        expect([moment, state]).toEqual([moment, isNew ? restored : before]);
      }
      expect(outcomes).toEqual(new Set(["old", "new"]));
      expect(await runProcess(["restore", file, "--yes"], settings)).toMatchObject({ code: 0 });
      expect((await readdir(settings.dataDir)).filter((name) => name.startsWith("restore-"))).toEqual([]);
    },
    TIMEOUT,
  );
});
