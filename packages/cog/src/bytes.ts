export { HeaderBytes } from "./header/header-bytes.ts";
export { type ByteRange, mergeRanges } from "./sources/ranges.ts";
export { readCompared } from "./sources/read-compared.ts";
