export type { Opened } from "./collection.ts";
export { type ExamineOptions, examine } from "./examine.ts";
export { failingLandingPages } from "./landing-pages.ts";
export { reportLines } from "./lines.ts";
export { type Asked, askedFor, type KnownCollections, UnknownNameError } from "./names.ts";
export { DoctorReport, type UpstreamReport } from "./report.ts";
export type { ExaminationLimits, Upstream } from "./upstream.ts";
export type { SettingNames } from "./words.ts";
