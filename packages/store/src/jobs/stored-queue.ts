import type { Queries, Store, StoreRow, StoreValue } from "../store.ts";
import { type HeldCharge, type JobCharges, type JobQueue, type JobRecord, QueueFullError } from "./queue.ts";

/** Unfinished jobs that the queue takes, in all. */
const MAX_UNFINISHED = 100;
/** Most jobs of one account, with all its keys and sessions, or of one key of the owner. */
const MAX_OF_ONE = 20;
/** Time after which a full queue may have a place again, seconds. */
const RETRY_AFTER = 30;
/** Time for which a job is kept, milliseconds, whatever its outcome. */
export const JOB_KEPT_MS = 86_400_000;
/** A job during which this many workers died is not tried again. */
const MAX_ATTEMPTS = 5;
/** Jobs that run at once in the whole service, unless it is said. */
const SLOTS = 4;
/** Most jobs that may run at once in the whole service. */
export const MAX_JOB_SLOTS = 64;
/** Every change of jobs and slots runs under this name, one after the other: they are rare and short. */
const JOBS = "jobs";

const COLUMNS = `id, owner, kind, request, status, created, updated, progress, result, error, charge, trace`;
const UNFINISHED = "status in ('queued', 'running')";

const SQL = {
  insert: `insert into job(id, owner, kind, request, status, created, updated, progress, lease, attempts, charge,
      payer, trace)
    values ($1, $2, $5, $3, 'queued', $4, $4, 0, 0, 0, $6, $7, $8)`,
  // jobs of the owner's keys have no account
  count: `select count(*) as total, coalesce(sum(case when payer = '' then 0 else 1 end), 0) as accounts,
      coalesce(sum(case when payer = $2 and (payer <> '' or owner = $1) then 1 else 0 end), 0) as own
    from job where ${UNFINISHED}`,
  find: `select ${COLUMNS} from job where id = $1 and owner = $2`,
  waiting: `select id from job where status = 'queued' or (status = 'running' and lease < $1) limit 1`,
  // rows that leases hold are counted, not the rows: nodes with another setting keep to the smaller one as slots end
  takeSlot: `update slot set job = null, lease = $1
    where n = (select n from slot where lease < $2 order by n limit 1)
      and (select count(*) from slot where lease >= $2) < $3 returning n`,
  freeSlot: "update slot set job = null, lease = 0 where n = $1",
  freeSlotsOf: "update slot set job = null, lease = 0 where job = $1",
  fillSlot: "update slot set job = $2 where n = $1",
  takeJob: `update job set status = 'running', worker = $1, lease = $2, updated = $3, progress = 0,
      attempts = attempts + 1
    where id = (select id from job where status = 'queued' or (status = 'running' and lease < $3)
      order by created, id limit 1)
    returning ${COLUMNS}, attempts`,
  extendJob: `update job set lease = $3, progress = $4, updated = $5
    where id = $1 and worker = $2 and status = 'running' returning id`,
  extendSlot: "update slot set lease = $2 where job = $1 returning n",
  finish: `update job set status = $3, result = $4, error = $5, updated = $6, worker = null, lease = 0,
      progress = case when $3 = 'done' then 1 else progress end
    where id = $1 and worker = $2 and status = 'running' returning charge`,
  giveUp: `update job set status = 'failed', error = $2, updated = $3, worker = null, lease = 0 where id = $1`,
  release: `update job set status = 'queued', worker = null, lease = 0, updated = $3, progress = 0,
      attempts = attempts - 1
    where id = $1 and worker = $2 and status = 'running' returning id`,
  remove: "delete from job where created < $1 returning id",
  freeAbandoned: `update slot set job = null, lease = 0
    where job is not null and not exists (select id from job where job.id = slot.job)`,
};

const toJson = (value: unknown): string => JSON.stringify(value ?? null);
const fromJson = (value: StoreValue | undefined): unknown => JSON.parse(String(value));

function toRecord(row: StoreRow): JobRecord {
  return {
    id: String(row.id),
    owner: String(row.owner),
    kind: String(row.kind),
    request: fromJson(row.request),
    status: row.status as JobRecord["status"],
    created: Number(row.created),
    updated: Number(row.updated),
    progress: Number(row.progress),
    ...(row.result === null ? {} : { result: fromJson(row.result) }),
    ...(row.error === null ? {} : { error: fromJson(row.error) }),
    ...(row.charge === null ? {} : { charge: fromJson(row.charge) as HeldCharge }),
    ...(row.trace === null ? {} : { trace: String(row.trace) }),
  };
}

interface Unfinished {
  readonly total: number;
  readonly accounts: number;
  readonly own: number;
}

/** Returns the error for a job that is not taken; undefined where one is. */
function refusalOf(
  { total, accounts, own }: Unfinished,
  isAccount: boolean,
  maxOfAccounts: number,
): QueueFullError | undefined {
  const who = isAccount ? "account" : "key";
  if (own >= MAX_OF_ONE) {
    return full(
      own,
      MAX_OF_ONE,
      `${own} jobs of this ${who} are unfinished; ${isAccount ? "an" : "a"} ${who} may have ${MAX_OF_ONE}.`,
    );
  }
  if (isAccount && accounts >= maxOfAccounts) {
    const detail = `${accounts} jobs of all accounts are unfinished; the service takes ${maxOfAccounts}.`;
    return full(accounts, maxOfAccounts, detail);
  }
  if (total < MAX_UNFINISHED) return undefined;
  return full(total, MAX_UNFINISHED, `${total} jobs of the whole service are unfinished; it takes ${MAX_UNFINISHED}.`);
}

function full(unfinishedJobs: number, maxUnfinishedJobs: number, detail: string): QueueFullError {
  return new QueueFullError(detail, { maxUnfinishedJobs, unfinishedJobs }, RETRY_AFTER);
}

/** Ends the charge of a job, whose row it gets, within the transaction that ends the job. */
type EndCharge = (row: StoreRow, fileBytes: number | undefined) => Promise<void>;

interface Taking {
  readonly worker: string;
  readonly lease: number;
  readonly time: number;
  readonly endCharge: EndCharge;
}

/** The next job in the slot; a job that killed too many workers fails here instead of killing another. */
async function takeJob(db: Queries, { worker, lease, time, endCharge }: Taking): Promise<StoreRow | undefined> {
  for (;;) {
    const [row] = await db.query(SQL.takeJob, [worker, lease, time]);
    if (row === undefined) return undefined;
    await db.query(SQL.freeSlotsOf, [String(row.id)]);
    if (Number(row.attempts) <= MAX_ATTEMPTS) return row;
    const error = { code: "internal", detail: `The job ended ${MAX_ATTEMPTS} workers before it was finished.` };
    await db.query(SQL.giveUp, [String(row.id), toJson(error), time]);
    await endCharge(row, undefined);
  }
}

/** Options of the queue of jobs. */
export interface StoredJobsOptions {
  /** The time, epoch milliseconds. */
  readonly now?: () => number;
  /** Jobs that run at once in the whole service, 1 to 64, the same on all nodes; default 4. */
  readonly slots?: number;
  /** Most unfinished jobs of all accounts together, at most 100; the other places are kept for the owner's keys. Default 100. */
  readonly maxOfAccounts?: number;
  /** Absent: jobs cost nothing. */
  readonly charges?: JobCharges;
}

/** Returns the statement that adds the rows that the table `slot` lacks. */
function addSlots(slots: number): string {
  const rows = Array.from({ length: slots }, (_, i) => `(${i + 1}, 0)`);
  return `insert into slot(n, lease) values ${rows.join(", ")} on conflict(n) do nothing`;
}

/**
 * The job queue in the store. Each row of the table `slot` whose lease holds is a job that runs: a claim takes a free
 * row and the oldest job in one transaction, and job and slot carry the same lease. Leases compare the nodes' clocks,
 * which have to agree within a few seconds. Where nodes have different numbers of `slots`, each claims only while fewer
 * jobs run than its own number.
 *
 * @throws {RangeError} for a number of slots that is no whole number from 1 to 64.
 */
export function storedJobs(
  store: Store,
  { now = Date.now, charges, slots = SLOTS, maxOfAccounts = MAX_UNFINISHED }: StoredJobsOptions = {},
): JobQueue {
  if (!Number.isInteger(slots) || slots < 1 || slots > MAX_JOB_SLOTS) {
    throw new RangeError(`Expected 1 to ${MAX_JOB_SLOTS} slots, got ${slots}.`);
  }
  // the migrations make four
  let hasSlots = slots <= SLOTS;
  /** Runs a transaction that may end jobs, and tells whoever charges once it is committed. */
  const ending = async <T>(work: (db: Queries, endCharge: EndCharge) => Promise<T>): Promise<T> => {
    const told: (() => void)[] = [];
    const result = await store.transaction(JOBS, (db) =>
      work(db, async ({ charge }, fileBytes) => {
        if (typeof charge !== "string" || charges === undefined) return;
        told.push(await charges.end(db, fromJson(charge) as HeldCharge, fileBytes));
      }),
    );
    for (const tell of told) tell();
    return result;
  };
  return {
    async submit({ owner, account = "", kind, request, charge, trace }) {
      const id = charge?.id ?? crypto.randomUUID();
      const body = toJson(request);
      return store.transaction(JOBS, async (db) => {
        const [count] = await db.query(SQL.count, [owner, account]);
        const unfinished = { total: Number(count?.total), accounts: Number(count?.accounts), own: Number(count?.own) };
        const refusal = refusalOf(unfinished, account !== "", maxOfAccounts);
        if (refusal !== undefined) throw refusal;
        const time = now();
        const stored = charge === undefined ? null : toJson(charge);
        await db.query(SQL.insert, [id, owner, body, time, kind, stored, account, trace ?? null]);
        if (charge !== undefined) await charges?.accept(db, charge, time + JOB_KEPT_MS);
        const record = { id, owner, kind, request: JSON.parse(body), created: time, updated: time };
        return {
          ...record,
          status: "queued",
          progress: 0,
          ...(charge === undefined ? {} : { charge }),
          ...(trace === undefined ? {} : { trace }),
        };
      });
    },
    async find(id, owner) {
      const [row] = await store.query(SQL.find, [id, owner]);
      return row === undefined ? undefined : toRecord(row);
    },
    async claim(worker, leaseMs) {
      // workers poll often and mostly find nothing: a read without a lock comes first
      const waiting = await store.query(SQL.waiting, [now()]);
      if (waiting.length === 0) return undefined;
      const claimed = await ending(async (db, endCharge) => {
        const time = now();
        const lease = time + leaseMs;
        if (!hasSlots) await db.exec(addSlots(slots));
        const [slot] = await db.query(SQL.takeSlot, [lease, time, slots]);
        if (slot === undefined) return undefined;
        const job = await takeJob(db, { worker, lease, time, endCharge });
        if (job === undefined) {
          await db.query(SQL.freeSlot, [Number(slot.n)]);
          return undefined;
        }
        await db.query(SQL.fillSlot, [Number(slot.n), String(job.id)]);
        return toRecord(job);
      });
      hasSlots = true;
      return claimed;
    },
    async renew(id, worker, progress, leaseMs) {
      return store.transaction(JOBS, async (db) => {
        const time = now();
        // once the lease ran out, the slot may run another job: then this one is lost, claimed already or not
        const slots = await db.query("select n from slot where job = $1", [id]);
        if (slots.length === 0) return false;
        const share = Math.min(1, Math.max(0, progress));
        const kept = await db.query(SQL.extendJob, [id, worker, time + leaseMs, share, time]);
        if (kept.length === 0) return false;
        await db.query(SQL.extendSlot, [id, time + leaseMs]);
        return true;
      });
    },
    async finish(id, worker, outcome) {
      const [status, result, error] =
        "result" in outcome ? ["done", toJson(outcome.result), null] : ["failed", null, toJson(outcome.error)];
      const fileBytes = "result" in outcome ? (outcome.fileBytes ?? 0) : undefined;
      return ending(async (db, endCharge) => {
        const [kept] = await db.query(SQL.finish, [
          id,
          worker,
          status as string,
          result as string | null,
          error as string | null,
          now(),
        ]);
        if (kept === undefined) return false;
        await db.query(SQL.freeSlotsOf, [id]);
        await endCharge(kept, fileBytes);
        return true;
      });
    },
    async release(id, worker) {
      await store.transaction(JOBS, async (db) => {
        const kept = await db.query(SQL.release, [id, worker, now()]);
        if (kept.length > 0) await db.query(SQL.freeSlotsOf, [id]);
      });
    },
    async removeExpired(olderThan) {
      return store.transaction(JOBS, async (db) => {
        const rows = await db.query(SQL.remove, [olderThan]);
        if (rows.length > 0) await db.exec(SQL.freeAbandoned);
        return rows.map((row) => String(row.id));
      });
    },
  };
}

/** Unfinished jobs by status. */
export async function jobCounts(store: Queries): Promise<Readonly<Record<string, number>>> {
  const rows = await store.query(`select status, count(*) as jobs from job where ${UNFINISHED} group by status`);
  return { queued: 0, running: 0, ...Object.fromEntries(rows.map((row) => [String(row.status), Number(row.jobs)])) };
}
