import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SANDBOX_VERSION } from "../scenes/plan.ts";

/** `archive.json`: facts about an archive. */
export interface ArchiveInfo {
  readonly type: "swath-sandbox-archive";
  /** `SANDBOX_VERSION` of the package that made it. */
  readonly version: string;
  readonly seed: number;
  /** Day the archive was made for, ISO date: the newest scenes are of the days before it. */
  readonly now: string;
  /** Ids of the collections, each with a file `items/{id}.ndjson`. */
  readonly collections: readonly string[];
  /** Rendered frames (`planScenes`); all of them unless fewer were requested. */
  readonly frames: readonly string[];
  readonly items: number;
  /** Bytes of all files below `assets/`. */
  readonly bytes: number;
}

/** `archive.json` of a directory; `undefined` where there is none, or none of this version. */
export async function readArchiveInfo(directory: string): Promise<ArchiveInfo | undefined> {
  let text: string;
  try {
    text = await readFile(join(directory, "archive.json"), "utf8");
  } catch {
    return undefined;
  }
  try {
    const info = JSON.parse(text) as Partial<ArchiveInfo>;
    const whole = info.type === "swath-sandbox-archive" && Array.isArray(info.frames);
    return whole && info.version === SANDBOX_VERSION ? (info as ArchiveInfo) : undefined;
  } catch {
    return undefined;
  }
}
