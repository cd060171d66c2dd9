// names of the web platform that types mention
export type {} from "@swath/http";
export { HeaderBytes } from "./header/header-bytes.ts";
export { type ByteRange, mergeRanges } from "./sources/ranges.ts";
export { readCompared } from "./sources/read-compared.ts";
