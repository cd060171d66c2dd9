export { checkFile, type FolderFiles, folderHref, folderSource } from "./run/files/folder-files.ts";
export { openFile } from "./run/files/open-file.ts";
export { createSources, type SourceFor, type SourceSettings } from "./run/files/sources.ts";
