import promises, { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import type { StoreSettings } from "@swath/store/node";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { describeEngines } from "../../../../test/tools/engines.ts";
import { postgresPrograms } from "../../../../test/tools/postgres-server.ts";
import { isThere } from "../../src/open/backup/backup-file.ts";
import { runBackupCommand, runRestoreCommand } from "../../src/open/backup/commands.ts";
import { finishRestore } from "../../src/open/backup/finish-restore.ts";
import { openStore } from "../../src/open/open-store.ts";
import { type Ended, fill, runProcess, SECRETS, stateOf, writeSecrets } from "./backup-tools.ts";

const NOW = Date.UTC(2026, 10, 29, 12);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-backup-"));
  vi.stubEnv("PATH", [postgresPrograms ?? "", process.env.PATH].join(delimiter));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

let files = 0;
const newFile = (): string => join(folder, `backup-${files++}`);

async function command(run: typeof runBackupCommand, settings: StoreSettings, ...args: string[]): Promise<Ended> {
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const code = await run(args, { settings, now: () => NOW, print, printError: print });
  return { code, text: lines.join("\n") };
}

async function filled(settings: StoreSettings, mark: string): Promise<StoreSettings> {
  const store = await openStore(settings);
  await fill(store, mark);
  await store.close();
  return settings;
}

const change = async (settings: StoreSettings, text: string): Promise<void> => {
  const store = await openStore(settings);
  await store.exec(text);
  await store.close();
};

describeEngines("a backup", (host, engine) => {
  test("is restored with every row, into no state and, where that is wished, in the place of one that is kept", async () => {
    const from = await filled(await host().fresh(), "first");
    const rows = await stateOf(from);
    const file = newFile();
    expect(await command(runBackupCommand, from, file)).toMatchObject({ code: 0 });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await readdir(folder)).filter((name) => name.includes(".part-"))).toEqual([]);

    const empty = await host().fresh();
    const restored = await command(runRestoreCommand, empty, file);
    expect(restored).toEqual({
      code: 0,
      text: "Restored: 1 account, 1 key, newest change 2026-06-16T12:00:00.000Z.",
    });
    expect(await stateOf(empty)).toEqual(rows);

    await change(from, "update account set email = 'other@example.org'; delete from job");
    const changed = await stateOf(from);
    const refused = await command(runRestoreCommand, from, file);
    expect(refused.code).toBe(1);
    expect(refused.text).toContain("Would be replaced: 1 account, 1 key, newest change 2026-06-16T12:00:00.000Z.");
    expect(refused.text).toContain("add --yes to replace it.");
    expect(await stateOf(from)).toEqual(changed);
    const accepted = await command(runRestoreCommand, from, file, "--yes");
    expect(accepted.code).toBe(0);
    expect(await stateOf(from)).toEqual(rows);

    const kept =
      /The state before is in (\S+before-restore-2026-11-29T12-00-00.000Z\S*)\.$/.exec(accepted.text)?.[1] ?? "";
    const before = engine === "sqlite" ? { dataDir: kept } : await host().fresh();
    if (engine === "postgres") await command(runRestoreCommand, before, kept);
    expect(await stateOf(before)).toEqual(changed);
  });

  test("is of one moment while another process writes", async () => {
    const from = await host().fresh();
    const store = await openStore(from);
    await store.transaction("rows", async (db) => {
      for (let n = 0; n < 4000; n++)
        await db.query("insert into setting(name, value, updated) values ($1, $2, 0)", [`n${n}`, "x".repeat(500)]);
      for (const name of ["a", "b"]) await db.query("insert into setting values ($1, '500', 0)", [name]);
    });
    let isOver = false;
    let writes = 0;
    const backups = [newFile(), newFile()];
    const write = async (): Promise<void> => {
      while (!isOver) {
        await store.transaction("move", async (db) => {
          await db.exec("update setting set value = cast(cast(value as int) - 1 as text) where name = 'a'");
          await db.exec("update setting set value = cast(cast(value as int) + 1 as text) where name = 'b'");
        });
        writes++;
        await pause(0);
      }
    };
    const writing = write();
    const ended = await Promise.all(backups.map((file) => runProcess(["backup", file], from)));
    expect(ended).toMatchObject([{ code: 0 }, { code: 0 }]);
    isOver = true;
    await writing;
    await store.close();
    expect(writes).toBeGreaterThan(10);
    for (const file of backups) {
      const into = await host().fresh();
      await command(runRestoreCommand, into, file);
      const restored = await openStore(into);
      const sum = "select sum(cast(value as int)) as sum from setting where name in ('a', 'b')";
      expect(await restored.query(sum)).toEqual([{ sum: 1000 }]);
      await restored.close();
    }
  });

  test("that is cut off, altered, another file or absent changes nothing", async () => {
    const from = await filled(await host().fresh(), "first");
    const file = newFile();
    await command(runBackupCommand, from, file);
    await change(from, "delete from job");
    const rows = await stateOf(from);
    const bytes = await readFile(file);
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    const wrong = [
      bytes.subarray(0, bytes.length - 1),
      bytes.subarray(0, bytes.length >> 1),
      bytes.subarray(0, 0),
      altered,
      Buffer.from("a text"),
      gzipSync("a text"),
      gzipSync(gunzipSync(bytes).subarray(0, 9000)),
    ];
    for (const content of wrong) {
      const damaged = newFile();
      await writeFile(damaged, content);
      const { code, text } = await command(runRestoreCommand, from, damaged, "--yes");
      expect([code, text]).toEqual([1, expect.stringContaining("Nothing was changed.")]);
    }
    expect((await command(runRestoreCommand, from, newFile(), "--yes")).text).toContain("cannot be read (ENOENT)");
    expect(await stateOf(from)).toEqual(rows);
    expect((await readdir(from.dataDir)).filter((name) => name.startsWith("restore-"))).toEqual([]);
  }, 60_000);

  test("of a newer release is refused as its database is", async () => {
    const newer = await filled(await host().fresh(), "first");
    await change(newer, "insert into part_migration(part, version, applied) values ('store', 999, 0)");
    const file = newFile();
    expect((await command(runBackupCommand, newer, file)).code).toBe(0);
    const into = await filled(await host().fresh(), "second");
    const rows = await stateOf(into);
    await expect(command(runRestoreCommand, into, file, "--yes")).rejects.toMatchObject({
      code: "newer-schema",
      message: expect.stringContaining("The tables of store are at version 999"),
    });
    expect(await stateOf(into)).toEqual(rows);
  });

  test("is not restored while another process has the state open", async () => {
    const from = await filled(await host().fresh(), "first");
    const file = newFile();
    await command(runBackupCommand, from, file);
    const service = await openStore(from);
    const ended = await runProcess(["restore", file, "--yes"], from);
    expect([ended.code, ended.text]).toEqual([1, expect.stringMatching(/stop (it|all of them) first/)]);
    await service.exec("delete from job");
    await service.close();
    expect((await stateOf(from)).job).toEqual([]);
  }, 30_000);

  test("never takes the place of a file, and wrong command lines say how to ask", async () => {
    const from = await filled(await host().fresh(), "first");
    const file = newFile();
    await writeFile(file, "mine");
    expect(await command(runBackupCommand, from, file)).toMatchObject({ code: 1 });
    expect(await readFile(file, "utf8")).toBe("mine");
    expect((await command(runBackupCommand, from, join(folder, "none", "file"))).text).toContain("(ENOENT)");
    for (const run of [runBackupCommand, runRestoreCommand]) {
      for (const args of [[], ["a", "b"], ["--no"]])
        expect(await command(run, from, ...args)).toMatchObject({
          code: 2,
          text: expect.stringContaining("Usage: npm run"),
        });
    }
  });
});

describeEngines("a backup of an earlier release", (host) => {
  test("is migrated, also where the database has the newer tables", async () => {
    const settings = await filled(await host().fresh(), "first");
    const file = newFile();
    const store = await openStore(settings);
    await store.exec("drop table map_token; delete from part_migration where part = 'accounts' and version >= 7");
    await store.close();
    expect((await command(runBackupCommand, settings, file)).code).toBe(0);
    await stateOf(settings);
    expect((await command(runRestoreCommand, settings, file, "--yes")).code).toBe(0);
    expect((await stateOf(settings)).account).toHaveLength(1);
  });
});

test("secrets of the data directory are restored with the state, and a damaged state is replaced", async () => {
  const dataDir = await mkdtemp(join(folder, "d"));
  await filled({ dataDir }, "first");
  await writeSecrets(dataDir, "first");
  const rows = await stateOf({ dataDir });
  const file = newFile();
  await command(runBackupCommand, { dataDir }, file);
  await writeSecrets(dataDir, "second");
  await writeFile(join(dataDir, "state.sqlite"), "no database at all, ".repeat(500));
  await writeFile(join(dataDir, "state.sqlite-wal"), "a log");
  const restored = await command(runRestoreCommand, { dataDir }, file, "--yes");
  expect(restored.text).toContain("Would be replaced: a state that cannot be read.");
  expect(await stateOf({ dataDir })).toEqual(rows);
  const [kept = ""] = (await readdir(dataDir)).filter((name) => name.startsWith("before-restore-"));
  for (const name of SECRETS) {
    expect(await readFile(join(dataDir, name), "utf8")).toBe(`first ${name}\n`);
    expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(dataDir, kept, name), "utf8")).toBe(`second ${name}\n`);
  }
  expect(await readFile(join(dataDir, kept, "state.sqlite"), "utf8")).toContain("no database at all");
});

test("a restore that was cut off is finished by one process at a time", async () => {
  const dataDir = await mkdtemp(join(folder, "d"));
  await filled({ dataDir }, "second");
  const restored = join(dataDir, "restore-decided", "new");
  await mkdir(restored, { recursive: true });
  await filled({ dataDir: restored }, "first");
  let open = (): void => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrive = (): void => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const remove = vi.spyOn(promises, "rm").mockImplementationOnce(async (...args) => {
    arrive();
    await gate;
    await promises.rm(...args);
  });
  syncBuiltinESMExports();
  try {
    const first = finishRestore(dataDir);
    await reached;
    const second = finishRestore(dataDir).then(async () => {
      const store = await openStore({ dataDir });
      await store.exec("delete from job");
      return store;
    });
    // longer than the second takes where it does not wait
    for (let n = 0; n < 200; n++) await stat(dataDir);
    open();
    await first;
    const store = await second;
    expect(await isThere(join(dataDir, "state.sqlite-wal"))).toBe(true);
    expect(await store.query("select id from account")).toEqual([{ id: "first" }]);
    await store.close();
  } finally {
    remove.mockRestore();
    syncBuiltinESMExports();
  }
});

test("the password of a database goes by the environment, and absent programs are named", async () => {
  const programs = await mkdtemp(join(folder, "programs"));
  const settings = { dataDir: folder, databaseUrl: "postgres://swath:a%20secret@db.example/swath?sslmode=require" };
  const path = process.env.PATH ?? "";
  try {
    process.env.PATH = programs;
    const absent = await command(runBackupCommand, settings, newFile());
    expect(absent).toMatchObject({ code: 1, text: expect.stringContaining("pg_dump is not there: install") });
    const program = `#!/bin/sh\necho "$* PASSWORD $PGPASSWORD" >&2\nexit 1\n`;
    await writeFile(join(programs, "pg_dump"), program, { mode: 0o755 });
    const { text } = await command(runBackupCommand, settings, newFile());
    expect(text).toContain("--dbname=postgres://swath@db.example/swath?sslmode=require PASSWORD a secret");
  } finally {
    process.env.PATH = path;
  }
});
