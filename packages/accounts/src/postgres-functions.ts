/**
 * Functions of PostgreSQL, each of which does in one round trip what several statements would. SQLite has no functions of
 * its own, so each rule stands in TypeScript too: the tests of units run on both engines and expect the same rows. A released
 * function never changes: a change is a function of another number, so that nodes of two releases work on one database.
 */

/**
 * Writes a batch of settlements unless the writer's number was taken before: `applySettlements` of
 * `metering/unit-rows.ts` as one statement. Rows are locked in one order on all nodes: counts by their key, then payers.
 */
export const SETTLE_1 = `
create function swath_settle_1(writer_name text, batch_number bigint, at_time bigint, given jsonb)
returns table(payer text, period text, spent bigint, minute bigint, minute_units bigint, minute_requests bigint,
  was_written boolean)
language plpgsql as $$
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
`;

/**
 * Writes a batch of one settlement unless the writer's number was taken before: what `swath_settle_1` does with it, without
 * lists. It is the batch of a node that answers one request after the other.
 */
export const SETTLE_ONE_1 = `
create or replace function swath_settle_one_1(writer_name text, batch_number bigint, at_time bigint, of_payer text,
  of_period text, of_minute bigint, of_reservation text, reserved bigint, charged bigint, cut_off bigint,
  of_day text, of_route text, of_key text, counted bigint, counted_in_minute bigint)
returns table(payer text, period text, spent bigint, minute bigint, minute_units bigint, minute_requests bigint,
  was_written boolean)
language plpgsql as $$
#variable_conflict use_column
declare
  back bigint := 0;
begin
  insert into usage_batch as b (writer, sequence, written) values (writer_name, batch_number, at_time)
    on conflict(writer) do update set sequence = excluded.sequence, written = excluded.written
    where b.sequence < excluded.sequence;
  if not found then
    return query select p.payer, p.period, p.spent, p.minute, p.minute_units, p.minute_requests, true
      from unit_payer p where p.payer = of_payer;
    return;
  end if;
  if of_reservation is not null then
    delete from unit_reservation where id = of_reservation;
    if found then back := reserved; end if;
  end if;
  if of_day is not null and (charged <> 0 or counted <> 0) then
    insert into unit_count as c (payer, day, route, key_id, units, requests)
      values (of_payer, of_day, of_route, of_key, charged, counted)
      on conflict(payer, day, route, key_id) do update set
        units = c.units + excluded.units, requests = c.requests + excluded.requests;
  end if;
  return query insert into unit_payer as p (payer, period, spent, minute, minute_units, minute_requests)
    values (of_payer, of_period, charged, of_minute, charged + cut_off - back, counted_in_minute)
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
end $$;
`;

/**
 * Reserves units where the balance of their payer allows it: `refusalOf` of `metering/balance.ts` over rows that are
 * locked meanwhile, payers in one order on all nodes. Of each request it gives why it is refused, if it is, and the
 * balance before it. Limits are those of the normal and of the restricted mode; null: there is none.
 */
export const RESERVE_1 = `
create function swath_reserve_1(at_time bigint, at_minute bigint, expiry bigint, given jsonb)
returns table(id text, refusal text, payer text, period text, spent bigint, reserved bigint, running bigint,
  minute bigint, minute_units bigint, minute_requests bigint)
language plpgsql as $$
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
`;
