CREATE FUNCTION public.swath_reserve_1(at_time bigint, at_minute bigint, expiry bigint, given jsonb) RETURNS TABLE(id text, refusal text, payer text, period text, spent bigint, reserved bigint, running bigint, minute bigint, minute_units bigint, minute_requests bigint)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
  asked record;
  balance record;
  last_payer text;
  restricted boolean;
  why text;
begin
  -- a reservation that a crash of the server loses is as one that has ended: nobody waits for the disk
  perform set_config('synchronous_commit', 'off', true);
  for asked in
    select s.* from rows from (jsonb_to_recordset(given) as (id text, payer text, period text, is_monthly boolean,
        cost bigint, slot int, month_units bigint, restricted_units bigint, minute_units bigint,
        restricted_minute_units bigint, concurrent bigint, restricted_concurrent bigint, request_units bigint,
        restricted_request_units bigint)) with ordinality as s
      order by s.payer, s.ordinality
  loop
    if last_payer is distinct from asked.payer then
      -- each statement sees what was committed before it: the sums below are read after the row is locked
      insert into unit_payer as p (payer, period, spent, minute, minute_units, minute_requests)
        values (asked.payer, asked.period, 0, at_minute, 0, 0)
        on conflict(payer) do update set payer = excluded.payer
        returning p.period, p.spent, p.minute, greatest(0, p.minute_units) as minute_units,
          greatest(0, p.minute_requests) as minute_requests, 0::bigint as reserved, 0::bigint as running into balance;
      if balance.period <> asked.period then
        balance.period := asked.period;
        balance.spent := case when asked.is_monthly then (select coalesce(sum(units), 0) from unit_count
          where payer = asked.payer and day between asked.period || '-01' and asked.period || '-31') else 0 end;
      end if;
      if at_minute > balance.minute or balance.minute > at_minute + 1 then
        balance.minute := at_minute;
        balance.minute_units := 0;
        balance.minute_requests := 0;
      end if;
      select coalesce(sum(units) filter (where period = asked.period), 0), coalesce(sum(slot), 0)
        into balance.reserved, balance.running
        from unit_reservation where payer = asked.payer and expires > at_time;
      last_payer := asked.payer;
    end if;
    restricted := balance.spent + balance.reserved >= asked.month_units and asked.restricted_units > 0;
    why := case
      when asked.cost > case when restricted then asked.restricted_request_units else asked.request_units end
        then 'too-expensive'
      when balance.spent + balance.reserved + asked.cost > asked.month_units + asked.restricted_units
        then 'period-spent'
      when balance.minute_units + asked.cost
          > case when restricted then asked.restricted_minute_units else asked.minute_units end then 'minute-spent'
      when asked.slot > 0 and balance.running
          >= case when restricted then asked.restricted_concurrent else asked.concurrent end then 'concurrency'
    end;
    return query select asked.id, why, asked.payer, balance.period::text, balance.spent::bigint,
      balance.reserved::bigint, balance.running::bigint, balance.minute::bigint, balance.minute_units::bigint,
      balance.minute_requests::bigint;
    if why is null then
      balance.reserved := balance.reserved + asked.cost;
      balance.running := balance.running + asked.slot;
      balance.minute_units := balance.minute_units + asked.cost;
      insert into unit_reservation(id, payer, period, units, slot, expires)
        values (asked.id, asked.payer, asked.period, asked.cost, asked.slot, expiry);
      update unit_payer set period = balance.period, spent = balance.spent, minute = balance.minute,
        minute_units = balance.minute_units, minute_requests = balance.minute_requests where payer = asked.payer;
    end if;
  end loop;
end $$;
CREATE FUNCTION public.swath_settle_1(writer_name text, batch_number bigint, at_time bigint, given jsonb) RETURNS TABLE(payer text, period text, spent bigint, minute bigint, minute_units bigint, minute_requests bigint, was_written boolean)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
declare
  ended text[];
  change record;
begin
  insert into usage_batch as b (writer, sequence, written) values (writer_name, batch_number, at_time)
    on conflict(writer) do update set sequence = excluded.sequence, written = excluded.written
    where b.sequence < excluded.sequence;
  if not found then
    return query select p.payer, p.period, p.spent, p.minute, p.minute_units, p.minute_requests, true
      from unit_payer p where p.payer in (select g->>'payer' from jsonb_array_elements(given) g);
    return;
  end if;
  with gone as (
    delete from unit_reservation where id in (select g->>'reservation' from jsonb_array_elements(given) g) returning id
  ) select array_agg(id) into ended from gone;
  insert into unit_count as c (payer, day, route, key_id, units, requests)
    select s.payer, s.day, s.route, s.key, sum(s.charged), sum(s.requests)
      from jsonb_to_recordset(given) as s(payer text, day text, route text, key text, charged bigint, requests bigint)
      where s.day is not null and (s.charged <> 0 or s.requests <> 0)
      group by s.payer, s.day, s.route, s.key order by s.payer, s.day, s.route, s.key
    on conflict(payer, day, route, key_id) do update set
      units = c.units + excluded.units, requests = c.requests + excluded.requests;
  for change in
    select s.payer, s.period, s.minute, sum(s.charged)::bigint as charged, sum(s.minute_requests)::bigint as requests,
        sum(s.charged + s.cut_off - case when s.reservation = any(ended) then s.reserved else 0 end)::bigint as units
      from jsonb_to_recordset(given) as s(payer text, period text, minute bigint, reservation text, reserved bigint,
        charged bigint, cut_off bigint, minute_requests bigint)
      group by s.payer, s.period, s.minute order by s.payer, s.period, s.minute
  loop
    return query insert into unit_payer as p (payer, period, spent, minute, minute_units, minute_requests)
      values (change.payer, change.period, change.charged, change.minute, change.units, change.requests)
      on conflict(payer) do update set
        spent = case when p.period = excluded.period then p.spent + excluded.spent
          when p.period < excluded.period then excluded.spent else p.spent end,
        period = case when p.period < excluded.period then excluded.period else p.period end,
        minute_units = case when p.minute = excluded.minute then p.minute_units + excluded.minute_units
          when p.minute < excluded.minute then excluded.minute_units else p.minute_units end,
        minute_requests = case when p.minute = excluded.minute then p.minute_requests + excluded.minute_requests
          when p.minute < excluded.minute then excluded.minute_requests else p.minute_requests end,
        minute = case when p.minute < excluded.minute then excluded.minute else p.minute end
      returning p.payer, p.period, p.spent, p.minute, p.minute_units, p.minute_requests, false;
  end loop;
end $$;
CREATE TABLE public.access_token (
    hash text NOT NULL,
    id text NOT NULL,
    kind text NOT NULL,
    account_id text,
    key_id text,
    scopes text NOT NULL,
    origin text,
    created bigint NOT NULL,
    expires bigint NOT NULL,
    used bigint
);
CREATE TABLE public.account (
    id text NOT NULL,
    email text,
    name text,
    tier text NOT NULL,
    created bigint NOT NULL,
    verified bigint,
    suspended bigint,
    deleted bigint,
    address_hash text,
    payer text
);
CREATE TABLE public.account_key (
    id text NOT NULL,
    account_id text NOT NULL,
    hash text NOT NULL,
    prefix text NOT NULL,
    name text NOT NULL,
    scopes text NOT NULL,
    created bigint NOT NULL,
    expires bigint,
    revoked bigint,
    used bigint
);
CREATE TABLE public.address_count (
    name text NOT NULL,
    network text NOT NULL,
    started bigint NOT NULL,
    requests bigint NOT NULL
);
CREATE TABLE public.api_key (
    id text NOT NULL,
    name text NOT NULL,
    created bigint NOT NULL,
    disabled bigint
);
CREATE TABLE public.bucket (
    id text NOT NULL,
    tokens double precision NOT NULL,
    at bigint NOT NULL,
    granted double precision NOT NULL
);
CREATE TABLE public.job (
    id text NOT NULL,
    owner text NOT NULL,
    request text NOT NULL,
    status text NOT NULL,
    created bigint NOT NULL,
    updated bigint NOT NULL,
    progress double precision NOT NULL,
    result text,
    error text,
    worker text,
    lease bigint NOT NULL,
    attempts integer NOT NULL,
    kind text DEFAULT ''::text NOT NULL,
    charge text,
    payer text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.key_secret (
    key_id text NOT NULL,
    prefix text NOT NULL,
    salt text NOT NULL,
    hash text NOT NULL,
    created bigint NOT NULL,
    expires bigint
);
CREATE TABLE public.mail (
    id text NOT NULL,
    email text NOT NULL,
    name text,
    base text NOT NULL,
    link text,
    created bigint NOT NULL,
    due bigint NOT NULL,
    attempts integer NOT NULL
);
CREATE TABLE public.mcp_session (
    id text NOT NULL,
    subject text NOT NULL,
    protocol text NOT NULL,
    created bigint NOT NULL,
    used bigint NOT NULL
);
CREATE TABLE public.migration (
    version integer NOT NULL,
    applied bigint NOT NULL
);
CREATE TABLE public.setting (
    name text NOT NULL,
    value text NOT NULL,
    updated bigint NOT NULL
);
CREATE TABLE public.sign_in_link (
    hash text NOT NULL,
    email text NOT NULL,
    name text,
    created bigint NOT NULL,
    expires bigint NOT NULL
);
CREATE TABLE public.slot (
    n integer NOT NULL,
    job text,
    lease bigint NOT NULL
);
CREATE TABLE public.spending (
    month text NOT NULL,
    requests bigint NOT NULL,
    bytes bigint NOT NULL
);
CREATE TABLE public.unit_count (
    payer text NOT NULL,
    day text NOT NULL,
    route text NOT NULL,
    key_id text NOT NULL,
    units bigint NOT NULL,
    requests bigint NOT NULL
);
CREATE TABLE public.unit_payer (
    payer text NOT NULL,
    period text NOT NULL,
    spent bigint NOT NULL,
    minute bigint NOT NULL,
    minute_units bigint NOT NULL,
    minute_requests bigint NOT NULL
);
CREATE TABLE public.unit_reservation (
    id text NOT NULL,
    payer text NOT NULL,
    period text NOT NULL,
    units bigint NOT NULL,
    slot integer NOT NULL,
    expires bigint NOT NULL
);
CREATE TABLE public.usage_batch (
    writer text NOT NULL,
    sequence bigint NOT NULL,
    written bigint NOT NULL
);
CREATE TABLE public.usage_count (
    key_id text NOT NULL,
    month text NOT NULL,
    requests bigint NOT NULL
);
INSERT INTO public.account VALUES ('a5cda09f0fb08fc693fa4f2f', 'ann@example.org', NULL, 'pro', 1795435200000, 1795435200000, NULL, NULL, NULL, NULL);
INSERT INTO public.account_key VALUES ('a76d87451d63f0d0a086d87f', 'a5cda09f0fb08fc693fa4f2f', 'e4e95d8ee87f90014b77579eaa2cd1855dba6e8cbfab981c9618dfa5af084805', 'swath_4Z', 'first', 'data', 1795435200000, NULL, NULL, NULL);
INSERT INTO public.api_key VALUES ('519d62e9ad4a56cd', 'Ann of Delft', 1795435200000, NULL);
INSERT INTO public.job VALUES ('7cea8c85-5e70-4a53-924d-616767754524', 'a76d87451d63f0d0a086d87f', '{"a":1}', 'queued', 1795435200000, 1795435200000, 0, NULL, NULL, NULL, 0, 0, 'process', '{"id":"7cea8c85-5e70-4a53-924d-616767754524","payer":"account:a5cda09f0fb08fc693fa4f2f","units":70000,"period":"2026-11","minute":29923920,"usage":{"day":"2026-11-23","route":"createProcessJob","key":"a76d87451d63f0d0a086d87f"},"files":{"id":"581f770b-f492-4201-b3f8-4fb4d63eaccb","payer":"files:account:a5cda09f0fb08fc693fa4f2f","units":1000,"period":"2026-11-23","minute":29923920}}', 'a5cda09f0fb08fc693fa4f2f');
INSERT INTO public.key_secret VALUES ('519d62e9ad4a56cd', 'SASutYiL', '0113e8a52703f9e5ee41964a812f9d53', '0c12b1618da4fd39995396510d4ac8e67ddad443e3cc6ad55115808928f41592', 1795435200000, NULL);
INSERT INTO public.migration VALUES (1, 1795477979577);
INSERT INTO public.migration VALUES (2, 1795477979626);
INSERT INTO public.migration VALUES (3, 1795477979631);
INSERT INTO public.migration VALUES (4, 1795477979655);
INSERT INTO public.migration VALUES (5, 1795477979781);
INSERT INTO public.migration VALUES (6, 1795477979850);
INSERT INTO public.migration VALUES (7, 1795477979874);
INSERT INTO public.migration VALUES (8, 1795477979928);
INSERT INTO public.setting VALUES ('note', 'kept', 1795435200000);
INSERT INTO public.slot VALUES (1, NULL, 0);
INSERT INTO public.slot VALUES (2, NULL, 0);
INSERT INTO public.slot VALUES (3, NULL, 0);
INSERT INTO public.slot VALUES (4, NULL, 0);
INSERT INTO public.spending VALUES ('2026-11', 3, 1000);
INSERT INTO public.unit_count VALUES ('account:a5cda09f0fb08fc693fa4f2f', '2026-11-23', 'getTile', 'a76d87451d63f0d0a086d87f', 25000, 0);
INSERT INTO public.unit_payer VALUES ('account:a5cda09f0fb08fc693fa4f2f', '2026-11', 25000, 29923920, 95000, 0);
INSERT INTO public.unit_payer VALUES ('files:account:a5cda09f0fb08fc693fa4f2f', '2026-11-23', 0, 29923920, 1000, 0);
INSERT INTO public.unit_reservation VALUES ('7cea8c85-5e70-4a53-924d-616767754524', 'account:a5cda09f0fb08fc693fa4f2f', '2026-11', 70000, 0, 1795521600000);
INSERT INTO public.unit_reservation VALUES ('581f770b-f492-4201-b3f8-4fb4d63eaccb', 'files:account:a5cda09f0fb08fc693fa4f2f', '2026-11-23', 1000, 0, 1795521600000);
INSERT INTO public.usage_batch VALUES ('b31a8229-989f-4313-a7ed-0b808bc844f2', 1, 1795435200000);
ALTER TABLE ONLY public.access_token
    ADD CONSTRAINT access_token_id_key UNIQUE (id);
ALTER TABLE ONLY public.access_token
    ADD CONSTRAINT access_token_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_email_key UNIQUE (email);
ALTER TABLE ONLY public.account_key
    ADD CONSTRAINT account_key_hash_key UNIQUE (hash);
ALTER TABLE ONLY public.account_key
    ADD CONSTRAINT account_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.address_count
    ADD CONSTRAINT address_count_pkey PRIMARY KEY (name, network);
ALTER TABLE ONLY public.api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.bucket
    ADD CONSTRAINT bucket_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.job
    ADD CONSTRAINT job_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.key_secret
    ADD CONSTRAINT key_secret_pkey PRIMARY KEY (key_id, hash);
ALTER TABLE ONLY public.mail
    ADD CONSTRAINT mail_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.mcp_session
    ADD CONSTRAINT mcp_session_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.migration
    ADD CONSTRAINT migration_pkey PRIMARY KEY (version);
ALTER TABLE ONLY public.setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sign_in_link
    ADD CONSTRAINT sign_in_link_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.slot
    ADD CONSTRAINT slot_pkey PRIMARY KEY (n);
ALTER TABLE ONLY public.spending
    ADD CONSTRAINT spending_pkey PRIMARY KEY (month);
ALTER TABLE ONLY public.unit_count
    ADD CONSTRAINT unit_count_pkey PRIMARY KEY (payer, day, route, key_id);
ALTER TABLE ONLY public.unit_payer
    ADD CONSTRAINT unit_payer_pkey PRIMARY KEY (payer);
ALTER TABLE ONLY public.unit_reservation
    ADD CONSTRAINT unit_reservation_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.usage_batch
    ADD CONSTRAINT usage_batch_pkey PRIMARY KEY (writer);
ALTER TABLE ONLY public.usage_count
    ADD CONSTRAINT usage_count_pkey PRIMARY KEY (key_id, month);
CREATE INDEX access_token_account ON public.access_token USING btree (account_id);
CREATE INDEX access_token_expires ON public.access_token USING btree (expires);
CREATE INDEX access_token_key ON public.access_token USING btree (key_id);
CREATE INDEX account_address_hash ON public.account USING btree (address_hash);
CREATE INDEX account_key_account ON public.account_key USING btree (account_id, created);
CREATE INDEX address_count_started ON public.address_count USING btree (started);
CREATE INDEX job_created ON public.job USING btree (created);
CREATE INDEX job_owner ON public.job USING btree (owner, status);
CREATE INDEX job_payer ON public.job USING btree (payer, status);
CREATE INDEX job_status ON public.job USING btree (status, created);
CREATE INDEX key_secret_prefix ON public.key_secret USING btree (prefix);
CREATE INDEX mail_due ON public.mail USING btree (due);
CREATE INDEX mail_email ON public.mail USING btree (email);
CREATE INDEX mcp_session_subject ON public.mcp_session USING btree (subject, used);
CREATE INDEX mcp_session_used ON public.mcp_session USING btree (used);
CREATE INDEX sign_in_link_email ON public.sign_in_link USING btree (email, created);
CREATE INDEX sign_in_link_expires ON public.sign_in_link USING btree (expires);
CREATE INDEX unit_reservation_expires ON public.unit_reservation USING btree (expires);
CREATE INDEX unit_reservation_payer ON public.unit_reservation USING btree (payer, expires);
CREATE INDEX usage_count_month ON public.usage_count USING btree (month);
ALTER TABLE ONLY public.account_key
    ADD CONSTRAINT account_key_account_id_fkey FOREIGN KEY (account_id) REFERENCES public.account(id);
ALTER TABLE ONLY public.key_secret
    ADD CONSTRAINT key_secret_key_id_fkey FOREIGN KEY (key_id) REFERENCES public.api_key(id);
