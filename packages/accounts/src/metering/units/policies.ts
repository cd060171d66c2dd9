/** Names of the limits that requests keep to. */
export type Policy =
  | "units-minute"
  | "units-month"
  | "units-restricted"
  | "units-token"
  | "units-day"
  | "requests-minute"
  | "requests-month"
  | "concurrent"
  | "burst";
