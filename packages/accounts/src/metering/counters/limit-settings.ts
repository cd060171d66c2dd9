/** A token bucket: it fills by `perSecond` and holds at most `burst`. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** The limits of one key and of the whole service. */
export interface LimitSettings {
  readonly key: Rate;
  readonly service: Rate;
  /** Requests of one key in a month, UTC. */
  readonly keyMonthly: number;
}

/** Limits where the owner sets none. */
export const DEFAULT_LIMITS: LimitSettings = {
  key: { perSecond: 50, burst: 100 },
  service: { perSecond: 100, burst: 200 },
  keyMonthly: 100_000,
};

/**
 * Limits where the embedded archive is served and no limit is named: it is there to be tried out, by tests of whole APIs too
 * (stac-api-validator asks as fast as it is answered), and costs nobody anything.
 */
export const SANDBOX_LIMITS: LimitSettings = {
  key: { perSecond: 1000, burst: 2000 },
  service: { perSecond: 2000, burst: 4000 },
  keyMonthly: 100_000_000,
};
