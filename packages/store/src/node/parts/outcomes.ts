import type { Queries, Store, StoreRow } from "../../store.ts";
import type { PartSet } from "./parts.ts";

/** Results read by one statement: each may have some 100 KB. */
const PAGE = 100;

/** The outcome of a part as JSON. */
export interface PartOutcome {
  readonly result?: string;
  readonly error?: string;
}

const SQL = {
  insertSet: `insert into part_set(id, kind, task, count, created) values ($1, $2, $3, $4, $5)
    on conflict(id) do nothing`,
  set: "select id, kind, task, count from part_set where id = $1",
  done: "select n from part where set_id = $1",
  // the row of the set is locked: whoever forgets it waits, and finds the outcome
  insert: `insert into part(set_id, n, result, error)
    select id, $2, $3, $4 from part_set where id = $1 for key share
    on conflict(set_id, n) do nothing returning n`,
  result: "select result from part where set_id = $1 and n = $2",
  progress: `select count(n) as done, min(case when error is null then null else n end) as failed,
      (select count(*) from part_set where id = $1) as sets
    from part where set_id = $1`,
  error: "select error from part where set_id = $1 and n = $2",
  results: "select n, result from part where set_id = $1 and n >= $2 and n < $3 order by n",
  removeSet: "delete from part_set where id = $1 returning count",
  remove: "delete from part where set_id = $1 returning result",
  expired: "select id from part_set where created < $1",
};

/** Keeps a set, where it is not kept yet. */
export async function keepSet(db: Queries, { id, kind, task, count }: PartSet, created: number): Promise<void> {
  await db.query(SQL.insertSet, [id, kind, task, count, created]);
}

/** Returns a set; `undefined` for one that is gone. */
export async function findSet(db: Queries, id: string): Promise<PartSet | undefined> {
  const [row] = await db.query(SQL.set, [id]);
  if (row === undefined) return undefined;
  return { id, kind: String(row.kind), task: String(row.task), count: Number(row.count) };
}

/** Returns the numbers of the parts that have no outcome. */
export async function numbersLeft(db: Queries, { id, count }: PartSet): Promise<readonly number[]> {
  const done = new Set((await db.query(SQL.done, [id])).map(({ n }) => Number(n)));
  return Array.from({ length: count }, (_, n) => n).filter((n) => !done.has(n));
}

/**
 * Keeps the outcome of a part where it has none.
 *
 * @returns whether it stands: it was kept, or the same one was there.
 */
export async function keepOutcome(
  db: Queries,
  { set, n }: { readonly set: string; readonly n: number },
  { result = null, error = null }: { readonly result?: string | null; readonly error?: string | null },
): Promise<boolean> {
  const kept = await db.query(SQL.insert, [set, n, result, error]);
  if (kept.length > 0) return true;
  const [row] = await db.query(SQL.result, [set, n]);
  return row !== undefined && row.result === result;
}

/** The state of a set. */
export interface Progress {
  readonly done: number;
  /** The lowest number of a part that failed. */
  readonly failed: number | undefined;
  readonly isGone: boolean;
}

/** Returns the state of a set. */
export async function progressOf(db: Queries, id: string): Promise<Progress> {
  const [row] = await db.query(SQL.progress, [id]);
  const failed = row?.failed ?? undefined;
  return {
    done: Number(row?.done),
    failed: failed === undefined ? undefined : Number(failed),
    isGone: Number(row?.sets) === 0,
  };
}

/** Returns the error that was kept for a part. */
export async function errorOf(db: Queries, id: string, n: number): Promise<unknown> {
  const [row] = await db.query(SQL.error, [id, n]);
  return JSON.parse(String(row?.error ?? null));
}

/** Returns the results of a set in the order of their numbers. */
export async function readResults(db: Queries, { id, count }: PartSet): Promise<readonly unknown[]> {
  const results: unknown[] = [];
  for (let first = 0; first < count; first += PAGE) {
    for (const { result } of await db.query(SQL.results, [id, first, first + PAGE])) {
      results.push(JSON.parse(String(result)));
    }
  }
  return results;
}

/** Removes a set with its outcomes. `removeQueued` gets its number of parts, within the same transaction. */
export async function removeSet(
  store: Store,
  id: string,
  removeQueued: (count: number, db: Queries) => Promise<void>,
): Promise<readonly unknown[]> {
  return store.transaction(`parts ${id}`, async (db) => {
    const [set] = await db.query(SQL.removeSet, [id]);
    if (set === undefined) return [];
    const rows = await db.query(SQL.remove, [id]);
    await removeQueued(Number(set.count), db);
    return rows.flatMap(({ result }: StoreRow) => (result === null ? [] : [JSON.parse(String(result))]));
  });
}

/** Returns the ids of sets that were made before `olderThan`. */
export async function expiredSets(db: Queries, olderThan: number): Promise<readonly string[]> {
  return (await db.query(SQL.expired, [olderThan])).map(({ id }) => String(id));
}
