import type { TablesOf } from "@swath/store";
import { RESERVE_1, SETTLE_1, SETTLE_ONE_1 } from "./postgres-functions.ts";

/** Accounts, keys, sessions, tokens and mails; counts, reservations and units of who asks. */
export const ACCOUNTS_TABLES: TablesOf = {
  part: "accounts",
  migrations: [
    {
      version: 1,
      common: 1,
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
`,
    },
    {
      version: 2,
      common: 4,
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
      version: 3,
      common: 5,
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
      version: 4,
      common: 6,
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
`,
    },
    {
      version: 5,
      common: 7,
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
      version: 6,
      common: 8,
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
`,
      postgres: SETTLE_1 + RESERVE_1,
    },
    {
      version: 7,
      // a map of the service's owner has no account; lists are JSON, null: all
      text: `
create table map_token(
  id text primary key,
  account_id text references account(id),
  hash text not null unique,
  prefix text not null,
  name text,
  presets text,
  collections text,
  origins text,
  units_day bigint not null,
  created bigint not null,
  expires bigint not null,
  ended bigint
);
create index map_token_account on map_token(account_id, created);
create index map_token_expires on map_token(expires);
`,
    },
    { version: 8, text: "", postgres: SETTLE_ONE_1 },
  ],
};
