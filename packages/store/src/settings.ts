import type { Queries, Store } from "./store.ts";

/** The value kept under a name; `undefined` where there is none. */
export async function readSetting(db: Queries, name: string): Promise<string | undefined> {
  const [row] = await db.query("select value from setting where name = $1", [name]);
  return row === undefined ? undefined : String(row.value);
}

/** Writes a setting, in place of the one of that name. */
export async function writeSetting(db: Queries, name: string, value: string, time: number): Promise<void> {
  await db.query(
    `insert into setting(name, value, updated) values ($1, $2, $3)
      on conflict(name) do update set value = excluded.value, updated = excluded.updated`,
    [name, value, time],
  );
}

/** The value kept under a name, which is `value` from now on where there was none: concurrent callers all get the same one. */
export async function keepSetting(db: Queries, name: string, value: string, time: number): Promise<string> {
  await db.query("insert into setting(name, value, updated) values ($1, $2, $3) on conflict(name) do nothing", [
    name,
    value,
    time,
  ]);
  return (await readSetting(db, name)) ?? value;
}

/**
 * Whether it is this caller's turn at work that one node does for all, at most once in `everyMs`: of callers at the same time
 * one gets it.
 *
 * @param name of the work, kept as a setting.
 * @param now epoch milliseconds.
 */
export async function claimTurn(store: Store, name: string, everyMs: number, now: number): Promise<boolean> {
  return store.transaction(name, async (db) => {
    const last = Number((await readSetting(db, name)) ?? Number.NEGATIVE_INFINITY);
    if (now - last < everyMs) return false;
    await writeSetting(db, name, String(now), now);
    return true;
  });
}
