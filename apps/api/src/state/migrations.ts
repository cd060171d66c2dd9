import { type Store, StoreError } from "./store.ts";

export interface Migration {
  /** 1, 2, 3, ...: the version of the database once it has run. */
  readonly version: number;
  readonly text: string;
}

/**
 * Every change of the tables, oldest first. A released migration never changes; a new one keeps what the release
 * before it reads and writes, so that nodes can be replaced one by one.
 */
export const MIGRATIONS: readonly Migration[] = [
  {
    version: 1,
    text: `
create table api_key(
  id text primary key,
  name text not null,
  created bigint not null,
  disabled bigint
);
create table key_secret(
  key_id text not null references api_key(id),
  prefix text not null,
  salt text not null,
  hash text not null,
  created bigint not null,
  expires bigint,
  primary key(key_id, hash)
);
create index key_secret_prefix on key_secret(prefix);

create table usage_count(
  key_id text not null,
  month text not null,
  requests bigint not null,
  primary key(key_id, month)
);
create index usage_count_month on usage_count(month);
create table usage_batch(
  writer text primary key,
  sequence bigint not null,
  written bigint not null
);
create table bucket(
  id text primary key,
  tokens double precision not null,
  at bigint not null,
  granted double precision not null
);

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
    text: `
create table setting(
  name text primary key,
  value text not null,
  updated bigint not null
);
create table spending(
  month text primary key,
  requests bigint not null,
  bytes bigint not null
);
`,
  },
  {
    version: 3,
    // nodes of the release before write jobs without a kind: the queue derives it from the request then
    text: `
alter table job add column kind text not null default '';
`,
  },
  {
    version: 4,
    text: `
create table address_count(
  name text not null,
  network text not null,
  started bigint not null,
  requests bigint not null,
  primary key(name, network)
);
create index address_count_started on address_count(started);
`,
  },
];

/**
 * Brings the tables to the newest version. Nodes that start together wait for the one that does it.
 *
 * @throws {StoreError} `newer-schema` for a database that a newer release has migrated.
 */
export async function migrate(store: Store, migrations: readonly Migration[] = MIGRATIONS): Promise<void> {
  const newest = migrations.at(-1)?.version ?? 0;
  await store.transaction("migrate", async (db) => {
    await db.exec("create table if not exists migration(version int primary key, applied bigint not null)");
    const [row] = await db.query("select coalesce(max(version), 0) as version from migration");
    const version = Number(row?.version);
    if (version > newest) {
      throw new StoreError(
        "newer-schema",
        `The database is at version ${version}, and this release supports versions up to ${newest}: start the newer release.`,
      );
    }
    for (const migration of migrations) {
      if (migration.version <= version) continue;
      await db.exec(migration.text);
      await db.query("insert into migration(version, applied) values ($1, $2)", [migration.version, Date.now()]);
    }
  });
}
