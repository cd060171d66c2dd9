import type { Queries } from "@swath/store";
import type { Rate } from "./limit-settings.ts";

/** Clocks of two nodes that differ by more than this are a fault; the bucket then follows the node that asks. */
const MAX_SKEW_MS = 10_000;

/**
 * Takes up to `$4` whole tokens from the bucket of a row: it holds at most `$2` and fills by `$5` a millisecond.
 * The row's lock makes it one step on every node. Parameters: row, burst, now, wanted, rate, first grant, newest
 * believable time.
 */
const LEASE = `insert into bucket(id, tokens, at, granted)
  values ($1, cast($2 as double precision) - cast($6 as double precision), $3, cast($6 as double precision))
  on conflict(id) do update set (tokens, granted, at) = (
    select filled - granted, granted, at from (
      select filled, case when filled >= cast($4 as double precision) then cast($4 as double precision)
        else floor(filled) end as granted, at from (
        select
          case when bucket.tokens + fresh * cast($5 as double precision) > cast($2 as double precision)
            then cast($2 as double precision)
            else bucket.tokens + fresh * cast($5 as double precision) end as filled,
          at from (
          select case when $3 > bucket.at then $3 - bucket.at else 0 end as fresh,
            case when $3 > bucket.at or bucket.at > $7 then $3 else bucket.at end as at
        ) as times
      ) as fills
    ) as grants
  )
  returning granted, tokens`;

export interface Lease {
  /** Whole tokens that are now the caller's. */
  readonly granted: number;
  /** The remaining contents of the bucket. */
  readonly remaining: number;
}

/** Takes up to `wanted` tokens out of the shared bucket in row `id`; a new bucket is full. */
export async function leaseTokens(store: Queries, id: string, rate: Rate, wanted: number, now: number): Promise<Lease> {
  const first = Math.min(wanted, rate.burst);
  const [row] = await store.query(LEASE, [
    id,
    rate.burst,
    now,
    wanted,
    rate.perSecond / 1000,
    first,
    now + MAX_SKEW_MS,
  ]);
  return { granted: Number(row?.granted), remaining: Number(row?.tokens) };
}
