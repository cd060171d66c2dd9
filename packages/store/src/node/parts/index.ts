export { openParts, type PartsOptions, type PartTimes } from "./open-parts.ts";
export {
  PartError,
  type PartFault,
  type PartKind,
  type PartSet,
  type Parts,
  PartTimeoutError,
  type PartWorker,
  type PartWorkOptions,
} from "./parts.ts";
