import type { Store } from "@swath/store";

/** So many requests of one network in a stretch of time that begins with its first. */
export interface AddressLimit {
  /** Name of what is counted; limits of other names count apart. */
  readonly name: string;
  readonly requests: number;
  readonly windowMs: number;
}

/** A limit as problems have it. */
export function limitsOf({ requests, windowMs }: Pick<AddressLimit, "requests" | "windowMs">): {
  readonly requests: number;
  readonly windowSeconds: number;
} {
  return { requests, windowSeconds: windowMs / 1000 };
}

/** Searches without a key or token. */
export const ANONYMOUS_SEARCH: AddressLimit = { name: "search", requests: 300, windowMs: 300_000 };
/** Finished images without a key or token: some twenty full screens of a map. */
export const ANONYMOUS_IMAGES: AddressLimit = { name: "images", requests: 3000, windowMs: 300_000 };

/** Counts requests by the network they come from, over all nodes. */
export interface AddressLimits {
  /**
   * Counts a request where the limit allows it; one over the limit is not counted.
   *
   * @returns milliseconds until the next request is allowed; undefined where this one is.
   */
  take(limit: AddressLimit, network: string): Promise<number | undefined>;
  /** Milliseconds for which a network is refused, as far as this node knows: the store is not asked, and nothing counted. */
  refusedFor?(limit: AddressLimit, network: string): number | undefined;
  /** Forgets networks whose windows began before this time, milliseconds since 1970. */
  removeExpired(before: number): Promise<void>;
}

/** Networks over their limit that a node remembers, so that what they send costs the store nothing. */
const MAX_REMEMBERED = 100_000;

/** Counts up to one more than `$4`, which says that the limit was reached before. Parameters: name, network, now, limit, window. */
const TAKE = `insert into address_count(name, network, started, requests) values ($1, $2, $3, 1)
  on conflict(name, network) do update set
    started = case when $3 >= address_count.started + $5 or $3 < address_count.started
      then $3 else address_count.started end,
    requests = case when $3 >= address_count.started + $5 or $3 < address_count.started then 1
      when address_count.requests <= $4 then address_count.requests + 1
      else address_count.requests end
  returning started, requests`;

/** Counts in the store, exact on any number of nodes whose clocks agree. */
export function storedAddressLimits(
  store: Store,
  { now = Date.now }: { readonly now?: () => number } = {},
): AddressLimits {
  const refusedUntil = new Map<string, number>();
  const keyOf = (name: string, network: string): string => `${name} ${network}`;
  const refusedFor = ({ name, windowMs }: AddressLimit, network: string): number | undefined => {
    const until = refusedUntil.get(keyOf(name, network));
    if (until === undefined) return undefined;
    const left = until - now();
    if (left > 0 && left <= windowMs) return left;
    refusedUntil.delete(keyOf(name, network));
    return undefined;
  };
  return {
    refusedFor,
    async take(limit, network) {
      const refused = refusedFor(limit, network);
      if (refused !== undefined) return refused;
      const { name, requests, windowMs } = limit;
      const time = now();
      const [row] = await store.query(TAKE, [name, network, time, requests, windowMs]);
      if (Number(row?.requests) <= requests) return undefined;
      const end = Number(row?.started) + windowMs;
      if (refusedUntil.size >= MAX_REMEMBERED) refusedUntil.clear();
      refusedUntil.set(keyOf(name, network), end);
      return Math.max(1, end - time);
    },
    async removeExpired(before) {
      await store.query("delete from address_count where started < $1", [before]);
    },
  };
}
