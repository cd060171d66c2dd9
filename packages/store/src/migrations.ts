import { RESERVE_1, SETTLE_1 } from "@swath/accounts";
import { type Store, StoreError } from "./store.ts";

export interface Migration {
  /** 1, 2, 3, ...: the version of the database once it has run. */
  readonly version: number;
  readonly text: string;
  /** What PostgreSQL has besides. */
  readonly postgres?: string;
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
  {
    version: 5,
    // of a deleted account the row stays without its address, since counts refer to its id
    text: `
create table account(
  id text primary key,
  email text unique,
  name text,
  tier text not null,
  created bigint not null,
  verified bigint,
  suspended bigint,
  deleted bigint
);
create table account_key(
  id text primary key,
  account_id text not null references account(id),
  hash text not null unique,
  prefix text not null,
  name text not null,
  scopes text not null,
  created bigint not null,
  expires bigint,
  revoked bigint,
  used bigint
);
create index account_key_account on account_key(account_id, created);
create table sign_in_link(
  hash text primary key,
  email text not null,
  name text,
  created bigint not null,
  expires bigint not null
);
create index sign_in_link_email on sign_in_link(email, created);
create index sign_in_link_expires on sign_in_link(expires);
create table access_token(
  hash text primary key,
  id text not null unique,
  kind text not null,
  account_id text,
  key_id text,
  scopes text not null,
  origin text,
  created bigint not null,
  expires bigint not null
);
create index access_token_account on access_token(account_id);
create index access_token_key on access_token(key_id);
create index access_token_expires on access_token(expires);
`,
  },
  {
    version: 6,
    // units are steps of 1/10,000; a minute is counted from 1970, a day is 2026-06-16 and a month 2026-06, all UTC
    text: `
create table unit_payer(
  payer text primary key,
  period text not null,
  spent bigint not null,
  minute bigint not null,
  minute_units bigint not null,
  minute_requests bigint not null
);
create table unit_reservation(
  id text primary key,
  payer text not null,
  period text not null,
  units bigint not null,
  slot int not null,
  expires bigint not null
);
create index unit_reservation_payer on unit_reservation(payer, expires);
create index unit_reservation_expires on unit_reservation(expires);
create table unit_count(
  payer text not null,
  day text not null,
  route text not null,
  key_id text not null,
  units bigint not null,
  requests bigint not null,
  primary key(payer, day, route, key_id)
);
alter table job add column charge text;
`,
  },
  {
    version: 7,
    text: `
create table mcp_session(
  id text primary key,
  subject text not null,
  protocol text not null,
  created bigint not null,
  used bigint not null
);
create index mcp_session_subject on mcp_session(subject, used);
create index mcp_session_used on mcp_session(used);
`,
  },
  {
    version: 8,
    // of a deleted account a keyed hash of its address stays until the month ends, so that who signs up again has the
    // units of one month; the payer of its counts is then that of the account before
    text: `
alter table account add column address_hash text;
alter table account add column payer text;
create index account_address_hash on account(address_hash);
alter table access_token add column used bigint;
create table mail(
  id text primary key,
  email text not null,
  name text,
  base text not null,
  link text,
  created bigint not null,
  due bigint not null,
  attempts int not null
);
create index mail_email on mail(email);
create index mail_due on mail(due);
alter table job add column payer text not null default '';
create index job_payer on job(payer, status);
`,
    postgres: SETTLE_1 + RESERVE_1,
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
      if (store.engine === "postgres" && migration.postgres !== undefined) await db.exec(migration.postgres);
      await db.query("insert into migration(version, applied) values ($1, $2)", [migration.version, Date.now()]);
    }
  });
}
