export { type ArchiveInfo, readArchiveInfo } from "./archive.ts";
export { type MakeSandboxOptions, makeSandbox } from "./make.ts";
