export { makeFolder } from "./make-folder.ts";
export { replaceFile } from "./replace-file.ts";
