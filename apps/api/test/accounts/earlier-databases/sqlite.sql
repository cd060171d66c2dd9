CREATE TABLE access_token(
  hash text primary key,
  id text not null unique,
  kind text not null,
  account_id text,
  key_id text,
  scopes text not null,
  origin text,
  created bigint not null,
  expires bigint not null
, used bigint);
CREATE TABLE account(
  id text primary key,
  email text unique,
  name text,
  tier text not null,
  created bigint not null,
  verified bigint,
  suspended bigint,
  deleted bigint
, address_hash text, payer text);
INSERT INTO "account" VALUES('530d3e794cc8788418fa67c0','ann@example.org',NULL,'pro',1795435200000,1795435200000,NULL,NULL,NULL,NULL);
CREATE TABLE account_key(
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
INSERT INTO "account_key" VALUES('38fb77775bce4be5d2aa61a2','530d3e794cc8788418fa67c0','4773720c7837658a56a2a959120bbfe19ab301e48a5dc292184ed25d16840797','swath_Rq','first','data',1795435200000,NULL,NULL,NULL);
CREATE TABLE address_count(
  name text not null,
  network text not null,
  started bigint not null,
  requests bigint not null,
  primary key(name, network)
);
CREATE TABLE api_key(
  id text primary key,
  name text not null,
  created bigint not null,
  disabled bigint
);
INSERT INTO "api_key" VALUES('54a5c5ea34b7d3d8','Ann of Delft',1795435200000,NULL);
CREATE TABLE bucket(
  id text primary key,
  tokens double precision not null,
  at bigint not null,
  granted double precision not null
);
CREATE TABLE job(
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
, kind text not null default '', charge text, payer text not null default '');
INSERT INTO "job" VALUES('9bd9b454-9b25-40a5-8a3b-e47c906b12e9','38fb77775bce4be5d2aa61a2','{"a":1}','queued',1795435200000,1795435200000,0.0,NULL,NULL,NULL,0,0,'process','{"id":"9bd9b454-9b25-40a5-8a3b-e47c906b12e9","payer":"account:530d3e794cc8788418fa67c0","units":70000,"period":"2026-11","minute":29923920,"usage":{"day":"2026-11-23","route":"createProcessJob","key":"38fb77775bce4be5d2aa61a2"},"files":{"id":"7f960ea5-2f01-41ba-bcb7-ccaac6ae982b","payer":"files:account:530d3e794cc8788418fa67c0","units":1000,"period":"2026-11-23","minute":29923920}}','530d3e794cc8788418fa67c0');
CREATE TABLE key_secret(
  key_id text not null references api_key(id),
  prefix text not null,
  salt text not null,
  hash text not null,
  created bigint not null,
  expires bigint,
  primary key(key_id, hash)
);
INSERT INTO "key_secret" VALUES('54a5c5ea34b7d3d8','ejkO6ESq','c19c7beef2f2597a5a116b83a6ab927f','d94d6c34ed332a9822707140dfdffd1f73b89881192ac34a3ed9cf2e9e5570ea',1795435200000,NULL);
CREATE TABLE mail(
  id text primary key,
  email text not null,
  name text,
  base text not null,
  link text,
  created bigint not null,
  due bigint not null,
  attempts int not null
);
CREATE TABLE mcp_session(
  id text primary key,
  subject text not null,
  protocol text not null,
  created bigint not null,
  used bigint not null
);
CREATE TABLE migration(version int primary key, applied bigint not null);
INSERT INTO "migration" VALUES(1,1795477956907);
INSERT INTO "migration" VALUES(2,1795477956907);
INSERT INTO "migration" VALUES(3,1795477956908);
INSERT INTO "migration" VALUES(4,1795477956908);
INSERT INTO "migration" VALUES(5,1795477956908);
INSERT INTO "migration" VALUES(6,1795477956908);
INSERT INTO "migration" VALUES(7,1795477956908);
INSERT INTO "migration" VALUES(8,1795477956909);
CREATE TABLE setting(
  name text primary key,
  value text not null,
  updated bigint not null
);
INSERT INTO "setting" VALUES('note','kept',1795435200000);
CREATE TABLE sign_in_link(
  hash text primary key,
  email text not null,
  name text,
  created bigint not null,
  expires bigint not null
);
CREATE TABLE slot(
  n int primary key,
  job text,
  lease bigint not null
);
INSERT INTO "slot" VALUES(1,NULL,0);
INSERT INTO "slot" VALUES(2,NULL,0);
INSERT INTO "slot" VALUES(3,NULL,0);
INSERT INTO "slot" VALUES(4,NULL,0);
CREATE TABLE spending(
  month text primary key,
  requests bigint not null,
  bytes bigint not null
);
INSERT INTO "spending" VALUES('2026-11',3,1000);
CREATE TABLE unit_count(
  payer text not null,
  day text not null,
  route text not null,
  key_id text not null,
  units bigint not null,
  requests bigint not null,
  primary key(payer, day, route, key_id)
);
INSERT INTO "unit_count" VALUES('account:530d3e794cc8788418fa67c0','2026-11-23','getTile','38fb77775bce4be5d2aa61a2',25000,0);
CREATE TABLE unit_payer(
  payer text primary key,
  period text not null,
  spent bigint not null,
  minute bigint not null,
  minute_units bigint not null,
  minute_requests bigint not null
);
INSERT INTO "unit_payer" VALUES('account:530d3e794cc8788418fa67c0','2026-11',25000,29923920,25000,0);
CREATE TABLE unit_reservation(
  id text primary key,
  payer text not null,
  period text not null,
  units bigint not null,
  slot int not null,
  expires bigint not null
);
INSERT INTO "unit_reservation" VALUES('9bd9b454-9b25-40a5-8a3b-e47c906b12e9','account:530d3e794cc8788418fa67c0','2026-11',70000,0,1795521600000);
INSERT INTO "unit_reservation" VALUES('7f960ea5-2f01-41ba-bcb7-ccaac6ae982b','files:account:530d3e794cc8788418fa67c0','2026-11-23',1000,0,1795521600000);
CREATE TABLE usage_batch(
  writer text primary key,
  sequence bigint not null,
  written bigint not null
);
INSERT INTO "usage_batch" VALUES('f4bf7055-37a2-4784-a8b8-8fbfb969f598',1,1795435200000);
CREATE TABLE usage_count(
  key_id text not null,
  month text not null,
  requests bigint not null,
  primary key(key_id, month)
);
CREATE INDEX key_secret_prefix on key_secret(prefix);
CREATE INDEX usage_count_month on usage_count(month);
CREATE INDEX job_status on job(status, created);
CREATE INDEX job_owner on job(owner, status);
CREATE INDEX job_created on job(created);
CREATE INDEX address_count_started on address_count(started);
CREATE INDEX account_key_account on account_key(account_id, created);
CREATE INDEX sign_in_link_email on sign_in_link(email, created);
CREATE INDEX sign_in_link_expires on sign_in_link(expires);
CREATE INDEX access_token_account on access_token(account_id);
CREATE INDEX access_token_key on access_token(key_id);
CREATE INDEX access_token_expires on access_token(expires);
CREATE INDEX unit_reservation_payer on unit_reservation(payer, expires);
CREATE INDEX unit_reservation_expires on unit_reservation(expires);
CREATE INDEX mcp_session_subject on mcp_session(subject, used);
CREATE INDEX mcp_session_used on mcp_session(used);
CREATE INDEX account_address_hash on account(address_hash);
CREATE INDEX mail_email on mail(email);
CREATE INDEX mail_due on mail(due);
CREATE INDEX job_payer on job(payer, status);
