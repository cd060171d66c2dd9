import type { Metrics } from "./metrics.ts";

/** The metrics of a service that nobody scrapes: nothing is counted, and no code that counts is loaded. */
export const NO_METRICS: Metrics = {
  request() {},
  render() {},
  cachedImage() {},
  sharedImage() {},
  catalog() {},
  upstream() {},
  missing() {},
  traffic() {},
  job() {},
  account() {},
  units() {},
  refused() {},
};
