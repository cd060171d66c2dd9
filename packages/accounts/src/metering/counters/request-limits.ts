import type { Store } from "@swath/store";
import { endOfMonth } from "../../calendar.ts";
import { LimitError } from "../../errors.ts";
import type { Identity } from "../../identity.ts";
import { LeasedBucket } from "./leased-bucket.ts";
import type { LimitSettings, Rate } from "./limit-settings.ts";
import { MemoryBucket } from "./memory-bucket.ts";
import { rateLimiter } from "./rate-limiter.ts";
import { UsageLedger } from "./usage-ledger.ts";

/** Seconds after which a request over the rate may be sent again. */
const RETRY_AFTER = 1;
/** Longest time for which a count is in memory only: a killed node loses no more. Half the second promised. */
const FLUSH_MS = 500;

/** Decides whether a request with a valid key is served, and counts it. */
export interface RequestLimits {
  /**
   * Counts the request against its key.
   *
   * @throws {LimitError} `rate` over a rate, `quota` over the month; neither is counted.
   */
  admit(identity: Pick<Identity, "subject">): Promise<void>;
}

/** Limits that are counted in a store. */
export interface StoredLimits extends RequestLimits {
  /** Writes what was counted since; runs twice a second by itself. */
  flush(): Promise<void>;
  /** Writes what is left and stops. */
  close(): Promise<void>;
}

/** Options of limits that are counted in a store. */
export interface StoredLimitsOptions {
  readonly now?: () => number;
  /** Other nodes admit requests too; by default when the store is PostgreSQL. */
  readonly shared?: boolean;
  readonly onError?: (error: unknown) => void;
}

/** Limits whose counts live in the store: exact on one node, and on many within what `LeasedBucket` says. */
export function storedLimits(store: Store, settings: LimitSettings, options: StoredLimitsOptions = {}): StoredLimits {
  const { now = Date.now, shared = store.engine === "postgres", onError = () => {} } = options;
  const BucketOfRow = shared ? LeasedBucket : MemoryBucket;
  const limiter = rateLimiter(settings, (row, rate) => new BucketOfRow(store, row, rate, now));
  // the requests that all nodes together can count while the others do not know of them
  const reserve = shared ? settings.key.burst + 2 * settings.key.perSecond : 0;
  const ledger = new UsageLedger(store, {
    limit: settings.keyMonthly,
    now,
    reserve,
    onWrite: (db) => limiter.save(db),
  });
  const timer = setInterval(() => {
    if (!ledger.isWriting() && ledger.isChanged()) ledger.flush().catch(onError);
  }, FLUSH_MS);
  timer.unref();

  const exhausted = async (keyId: string): Promise<LimitError> => {
    const { keyMonthly } = settings;
    return new LimitError("quota", `The key has spent its ${keyMonthly} requests of this month (UTC).`, {
      retryAfter: (endOfMonth(now()) - now()) / 1000,
      limits: { requestsPerMonth: keyMonthly, requestsSpentThisMonth: await ledger.spent(keyId) },
    });
  };

  return {
    async admit({ subject: id }) {
      if (await ledger.isSpent(id)) throw await exhausted(id);
      const exceeded = await limiter.take(id);
      if (exceeded === "key") throw limited("This key sends", settings.key);
      if (exceeded === "service") throw limited("All users of the service together send", settings.service);
      if (!(await ledger.spend(id))) throw await exhausted(id);
    },
    flush: () => ledger.flush(),
    async close() {
      clearInterval(timer);
      // a batch that failed goes first, and what was counted since after it
      do await ledger.flush();
      while (ledger.isChanged());
    },
  };
}

function limited(who: string, { perSecond, burst }: Rate): LimitError {
  const detail = `${who} more than ${perSecond} requests a second, with bursts of ${burst}.`;
  return new LimitError("rate", detail, {
    retryAfter: RETRY_AFTER,
    limits: { requestsPerSecond: perSecond, burst },
  });
}
