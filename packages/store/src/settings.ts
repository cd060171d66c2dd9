import type { Queries } from "./store.ts";

/** The value kept under a name; `undefined` where there is none. */
export async function readSetting(db: Queries, name: string): Promise<string | undefined> {
  const [row] = await db.query("select value from setting where name = $1", [name]);
  return row === undefined ? undefined : String(row.value);
}

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
