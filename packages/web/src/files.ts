export { BuiltFiles } from "./files/built-files.ts";
export { sendBytes, sendFile } from "./files/byte-range.ts";
export { type ByteRange, pathBelow, type StoredBytes } from "./files/stored-bytes.ts";
