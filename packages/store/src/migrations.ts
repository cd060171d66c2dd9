import { type Store, StoreError } from "./store.ts";

/** One change of the tables of a part. */
export interface Migration {
  /** 1, 2, 3, ...: the version of the part's tables once it has run. */
  readonly version: number;
  readonly text: string;
  /** Statements that run on PostgreSQL besides, such as functions. */
  readonly postgres?: string;
  /**
   * The version of the one history that all parts had in common before each had its own, by which the change was made
   * there. Absent: the change is younger.
   */
  readonly common?: number;
}

/**
 * The tables of one part of a service: jobs, accounts, or what a program brings itself. A released migration never
 * changes; a new one keeps what the release before it reads and writes, so that nodes can be replaced one by one.
 */
export interface TablesOf {
  /** Name of the part, which no other has. */
  readonly part: string;
  /** Oldest first, numbered from 1 without a gap. */
  readonly migrations: readonly Migration[];
}

/** The schema of the queue of parts on PostgreSQL, which pg-boss makes and migrates. What is in it is made again where it is lost. */
export const PARTS_SCHEMA = "swath_parts";

/** Jobs, the slots in which they run, parts of jobs, and settings. */
export const STORE_TABLES: TablesOf = {
  part: "store",
  migrations: [
    {
      version: 1,
      common: 1,
      text: `
create table job(
  id text primary key,
  owner text not null,
  request text not null,
  status text not null,
  created bigint not null,
  updated bigint not null,
  progress double precision not null,
  result text,
  error text,
  worker text,
  lease bigint not null,
  attempts int not null
);
create index job_status on job(status, created);
create index job_owner on job(owner, status);
create index job_created on job(created);
create table slot(
  n int primary key,
  job text,
  lease bigint not null
);
insert into slot(n, lease) values (1, 0), (2, 0), (3, 0), (4, 0);
`,
    },
    {
      version: 2,
      common: 2,
      text: `
create table setting(
  name text primary key,
  value text not null,
  updated bigint not null
);
`,
    },
    {
      version: 3,
      common: 3,
      // nodes of the release before write jobs without a kind: the queue derives it from the request then
      text: `
alter table job add column kind text not null default '';
`,
    },
    {
      version: 4,
      common: 6,
      text: `
alter table job add column charge text;
`,
    },
    {
      version: 5,
      common: 8,
      text: `
alter table job add column payer text not null default '';
create index job_payer on job(payer, status);
`,
    },
    {
      version: 6,
      // nodes of the release before write jobs without one
      text: `
alter table job add column trace text;
`,
    },
    {
      version: 7,
      text: `
create table part_set(
  id text primary key,
  kind text not null,
  task text not null,
  count int not null,
  created bigint not null
);
create table part(
  set_id text not null,
  n int not null,
  result text,
  error text,
  primary key(set_id, n)
);
`,
    },
    {
      version: 8,
      text: `
create table part_claim(
  set_id text not null,
  ticket int not null,
  n int not null,
  primary key(set_id, ticket),
  unique(set_id, n)
);
`,
    },
  ],
};

/** The part under which the version of the common history is kept. */
const COMMON = "";

/**
 * Brings the tables of all parts to their newest versions, together or not at all. Nodes that start together wait for the
 * one that does it. A database of a release with one common history goes on where that ended.
 *
 * @throws {StoreError} `newer-schema` for a database that a newer release has migrated.
 */
export async function migrate(store: Store, parts: readonly TablesOf[]): Promise<void> {
  await store.transaction("migrate", async (db) => {
    // nodes of the releases with a common history look into the first table alone, so it is kept up to date
    await db.exec("create table if not exists migration(version int primary key, applied bigint not null)");
    await db.exec(`create table if not exists part_migration(part text not null, version int not null,
      applied bigint not null, primary key(part, version))`);
    const applied = (part: string, version: number) =>
      db.query("insert into part_migration(part, version, applied) values ($1, $2, $3)", [part, version, Date.now()]);
    const rows = await db.query("select part, max(version) as version from part_migration group by part");
    const versions = new Map(rows.map(({ part, version }) => [String(part), Number(version)]));
    let common = versions.get(COMMON);
    if (common === undefined) {
      const [row] = await db.query("select coalesce(max(version), 0) as version from migration");
      common = Number(row?.version);
      await applied(COMMON, common);
    }
    for (const { part, migrations } of parts) {
      const version = versions.get(part) ?? 0;
      refuseNewer(part, version, migrations);
      for (const migration of migrations) {
        if (migration.version <= version) continue;
        if ((migration.common ?? Number.POSITIVE_INFINITY) > common) {
          await db.exec(migration.text);
          if (store.engine === "postgres" && migration.postgres !== undefined) await db.exec(migration.postgres);
        }
        await applied(part, migration.version);
        if (migration.common === undefined) continue;
        const row = [migration.common, Date.now()];
        await db.query("insert into migration(version, applied) values ($1, $2) on conflict(version) do nothing", row);
      }
    }
  });
}

function refuseNewer(part: string, version: number, migrations: readonly Migration[]): void {
  const newest = migrations.at(-1)?.version ?? 0;
  if (version <= newest) return;
  throw new StoreError(
    "newer-schema",
    `The tables of ${part} are at version ${version}, and this release supports versions up to ${newest}: start the newer release.`,
  );
}
