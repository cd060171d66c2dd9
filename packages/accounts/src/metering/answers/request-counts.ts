import type { RequestLimits } from "../counters/request-limits.ts";
import type { Admission, Admitted } from "./admission.ts";

const FREE: Admitted = { charge: async () => undefined, release: async () => {} };

/** Counts requests as they arrive, whatever comes of them; what they cost makes no difference. */
export function requestCounts(limits: RequestLimits): Admission {
  return {
    arrive: (identity) => limits.admit(identity),
    admit: async () => FREE,
  };
}
