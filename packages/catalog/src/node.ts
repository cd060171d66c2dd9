export { type OpenArchive, openArchive } from "./open-archive.ts";
