import type { Queries, Store, StoreRow } from "../../store.ts";
import type { Ticket } from "./part-queue.ts";
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
  ended: "select ticket from part_claim join part using (set_id, n) where set_id = $1",
  // the row of the set is locked: whoever forgets it waits, and finds the claim. Of two that choose the same part at once
  // one gets no row
  choose: `with mine as (select n from part_claim where set_id = $1 and ticket = $2),
    chosen as (
      insert into part_claim(set_id, ticket, n)
      select id, $2, coalesce(
        (select $3::int + 1 where $3 + 1 < count
          and not exists (select from part_claim where set_id = id and n = $3 + 1)),
        (select case when before < 0 then 0 else (before + next + 1) / 2 end from (
            select n as before, lead(n, 1, count) over (order by n) as next
            from (select -1 as n union all select n from part_claim where set_id = id) as claimed
          ) as gap where next - before > 1 order by next - before desc, before limit 1)
      ) from part_set where id = $1 and not exists (select from mine) for key share
      on conflict do nothing returning n
    ),
    claim as (select n from mine union all select n from chosen)
    select (select n from claim) as n,
      (select count(*) from part where set_id = $1 and n = (select n from claim)) as outcomes,
      (select count(*) from part_set where id = $1) as sets`,
  // the row of the set is locked: whoever forgets it waits, and finds the outcome
  insert: `with kept as (
      insert into part(set_id, n, result, error)
      select id, $2, $3, $4 from part_set where id = $1 for key share
      on conflict(set_id, n) do nothing returning n
    )
    select (select count(*) from kept) as kept, (select ticket from part_claim where set_id = $1 and n = $2) as ticket`,
  result: "select result from part where set_id = $1 and n = $2",
  progress: `select count(n) as done, min(case when error is null then null else n end) as failed,
      (select count(*) from part_set where id = $1) as sets
    from part where set_id = $1`,
  error: "select error from part where set_id = $1 and n = $2",
  results: "select n, result from part where set_id = $1 and n >= $2 and n < $3 order by n",
  removeSet: "delete from part_set where id = $1 returning count",
  remove: `with claims as (delete from part_claim where set_id = $1)
    delete from part where set_id = $1 returning result`,
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

/** Returns the tickets of a set whose parts have no outcome. */
export async function ticketsLeft(db: Queries, { id, count }: PartSet): Promise<readonly number[]> {
  const ended = new Set((await db.query(SQL.ended, [id])).map(({ ticket }) => Number(ticket)));
  return Array.from({ length: count }, (_, ticket) => ticket).filter((ticket) => !ended.has(ticket));
}

/**
 * Chooses the part of a ticket: the one that it was for before; else the one after `last`, which this worker chose before;
 * else one far from the others: the first of all, or the middle of the longest run that nobody has chosen.
 *
 * @returns undefined for a set that is gone.
 */
export async function choosePart(
  db: Queries,
  { set, ticket }: Ticket,
  last: number | undefined,
): Promise<{ readonly n: number; readonly isDone: boolean } | undefined> {
  for (;;) {
    const [row] = await db.query(SQL.choose, [set, ticket, last ?? null]);
    if (row === undefined || Number(row.sets) === 0) return undefined;
    if (row.n !== null) return { n: Number(row.n), isDone: Number(row.outcomes) > 0 };
  }
}

/**
 * Keeps the outcome of a part where it has none.
 *
 * @returns whether it stands: it was kept, or the same one was there; and the ticket that is for the part. That is another
 * one than the worker's where the set was forgotten and begun again meanwhile.
 */
export async function keepOutcome(
  db: Queries,
  { set, n }: { readonly set: string; readonly n: number },
  { result, error }: PartOutcome,
): Promise<{ readonly stands: boolean; readonly ticket: number | undefined }> {
  const [row] = await db.query(SQL.insert, [set, n, result ?? null, error ?? null]);
  const ticket = row?.ticket == null ? undefined : Number(row.ticket);
  if (Number(row?.kept) > 0) return { stands: true, ticket };
  const [kept] = await db.query(SQL.result, [set, n]);
  return { stands: kept !== undefined && kept.result === (result ?? null), ticket };
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
