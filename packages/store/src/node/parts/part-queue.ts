import { createHash } from "node:crypto";
import type { Db } from "pg-boss";
import type { Log } from "../../log.ts";
import { PARTS_SCHEMA } from "../../migrations.ts";
import type { Queries, Store, StoreValue } from "../../store.ts";

const QUEUE = "part";
/** Rows that one statement inserts. */
const BATCH = 1000;
/** Tries after which pg-boss itself gives a part up: workers do so long before. */
const ENDLESS = 1_000_000;
/** Time for which a finished row of the queue is kept, seconds. */
const FINISHED_SECONDS = 3600;

/** A ticket for one part of a set: whoever takes it chooses the part. */
export interface Ticket {
  readonly set: string;
  /** Its number: a set has as many tickets as parts. */
  readonly ticket: number;
}

/** A row of the queue. */
interface PartRow extends Ticket {
  /** Attempts that ended in another way than with their worker: they were handed back, or met a fault that passes. */
  readonly returned: number;
  /** Attempts that met a fault that passes. */
  readonly faults: number;
  /** The trace of whoever queued it. */
  readonly trace?: string;
}

/** A ticket that a worker has taken. */
export interface Claim extends PartRow {
  readonly id: string;
  /** Attempts before this one. */
  readonly retryCount: number;
}

/** The answer of pg-boss about rows that it was to change. */
interface Changed {
  readonly affected: number;
  readonly settled: readonly string[];
}

/** Times of the queue, seconds. */
export interface PartQueueTimes {
  /** A part whose worker is not heard of for this long is given to another. */
  readonly heartbeatSeconds: number;
  /** A part that was taken is given to another after this time, heard of or not. */
  readonly expireSeconds: number;
  /** Pause between looks for workers that are not heard of, on all nodes together. */
  readonly superviseSeconds: number;
}

/** The queue of tickets of all sets, in pg-boss. */
export interface PartQueue {
  /** Queues tickets of a set; one that is queued stays as it is. Those of smaller sets are taken first. */
  add(set: string, tickets: readonly number[], trace?: string): Promise<void>;
  /** Takes up to `most` tickets. */
  take(most: number): Promise<readonly Claim[]>;
  /** Says that their parts are being carried out. Returns the ids of those that are still the worker's. */
  touch(claims: readonly Claim[]): Promise<ReadonlySet<string>>;
  /** Ends a ticket, whoever has it. */
  end(ticket: Ticket, db?: Queries): Promise<void>;
  /** Hands a ticket back to be taken after a pause, where it is still the worker's. */
  giveBack(claim: Claim, options: { readonly isFault: boolean; readonly seconds: number }): Promise<void>;
  /** Removes the tickets of a set, whatever their state. */
  remove(set: string, count: number, db?: Queries): Promise<void>;
  /** Gives parts of workers that are not heard of to others. */
  supervise(): Promise<void>;
  close(): Promise<void>;
}

/** Returns the id of a ticket's row: the same ticket gets the same one, so that it is queued once. */
function idOf({ set, ticket }: Ticket): string {
  const hex = createHash("sha256").update(`${ticket} ${set}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}

/** The store's connections as pg-boss asks for them; its parameters may be arrays, which pg understands too. */
function executor(db: Queries): Db {
  return {
    executeSql: async (text, values = []) => ({ rows: [...(await db.query(text, values as StoreValue[]))] }),
  };
}

/** @throws {Error} for a version of Node that pg-boss does not support. */
export function requireNode(version: string): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 12)) return;
  throw new Error(`Parts of jobs need Node 22.12 or newer, and this is Node ${version}.`);
}

/**
 * Opens the queue of parts over the store's connections, in a schema of its own, which it makes.
 *
 * @throws {Error} on Node below 22.12, and for a store that is not on PostgreSQL.
 */
export async function openPartQueue(store: Store, times: PartQueueTimes, log: Log): Promise<PartQueue> {
  if (store.engine !== "postgres") throw new Error("Parts of jobs need a store on PostgreSQL.");
  requireNode(process.versions.node);
  const boss = new (await import("pg-boss")).PgBoss({
    db: executor(store),
    schema: PARTS_SCHEMA,
    schedule: false,
    // whoever waits for a set looks for dead workers: a node without work asks nothing
    supervise: false,
    registerInstance: false,
    monitorVacuum: false,
    monitorIntervalSeconds: times.superviseSeconds,
    maintenanceIntervalSeconds: FINISHED_SECONDS,
    // a span for each poll would fill the traces
    openTelemetry: { enabled: false },
  });
  boss.on("error", (error) => log.warn({ err: error }, "the queue of parts does not answer"));
  boss.on("warning", ({ message, data }) => log.warn({ data }, message));
  await boss.start();
  try {
    await boss.createQueue(QUEUE);
  } catch (error) {
    await boss.stop({ close: false, graceful: false });
    throw error;
  }
  const within = (db: Queries | undefined) => (db === undefined ? {} : { db: executor(db) });
  return {
    async add(set, tickets, trace) {
      const ofTrace = trace === undefined ? {} : { trace };
      for (let first = 0; first < tickets.length; first += BATCH) {
        const rows = tickets.slice(first, first + BATCH).map((ticket) => ({
          id: idOf({ set, ticket }),
          data: { set, ticket, returned: 0, faults: 0, ...ofTrace } satisfies PartRow,
          priority: -tickets.length,
          retryLimit: ENDLESS,
          retryDelay: 0,
          heartbeatSeconds: times.heartbeatSeconds,
          expireInSeconds: times.expireSeconds,
          deleteAfterSeconds: FINISHED_SECONDS,
        }));
        await boss.insert(QUEUE, rows);
      }
    },
    async take(most) {
      const rows = await boss.fetch<PartRow>(QUEUE, { batchSize: most });
      return rows.map(({ id, retryCount, data }) => ({ ...data, id, retryCount }));
    },
    async touch(claims) {
      const { settled } = (await boss.touch(QUEUE, claims.map(attemptOf))) as Changed;
      return new Set(settled);
    },
    async end(ticket, db) {
      await boss.complete(QUEUE, idOf(ticket), null, { includeQueued: true, ...within(db) });
    },
    async giveBack(claim, { isFault, seconds }) {
      const { id, retryCount, ...row } = claim;
      const data: PartRow = { ...row, returned: row.returned + 1, faults: row.faults + (isFault ? 1 : 0) };
      await store.transaction(`part ${id}`, async (db) => {
        const { affected } = (await boss.fail(QUEUE, { id, retryCount }, null, within(db))) as Changed;
        if (affected > 0) await boss.update(QUEUE, data, { id, startAfter: seconds, ...within(db) });
      });
    },
    async remove(set, count, db) {
      if (count === 0) return;
      const ids = Array.from({ length: count }, (_, ticket) => idOf({ set, ticket }));
      await boss.deleteJob(QUEUE, ids, within(db));
    },
    supervise: () => boss.supervise(QUEUE),
    close: () => boss.stop({ close: false, graceful: false }),
  };
}

const attemptOf = ({ id, retryCount }: Claim) => ({ id, retryCount });
