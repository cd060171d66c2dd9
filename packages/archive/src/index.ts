export { draftCollection } from "./draft-collection.ts";
export { ARCHIVE } from "./name.ts";
export { type OwnArchive, type OwnArchiveOptions, openOwnArchive, type ScanReport } from "./own-archive.ts";
export { archiveLines, reportLines, type ScanLog, watchArchive } from "./watch.ts";
