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
