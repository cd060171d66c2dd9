export { type CheckAs, type CheckOptions, checkText } from "./check.ts";
export type { Finding, Rule } from "./finding.ts";
export { type CheckFormat, type FileFindings, formatFindings } from "./format.ts";
