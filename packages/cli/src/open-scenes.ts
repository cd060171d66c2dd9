import { homedir } from "node:os";
import { join } from "node:path";
import { ARCHIVE, openOwnArchive } from "@swath/archive";
import { openArchive } from "@swath/catalog/node";
import type { SceneSource } from "@swath/engine/node";
import { makeSandbox } from "@swath/sandbox/node";
import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES, BUILT_IN_PRESETS, isVirtualFile } from "@swath/schema/files";
import { makeFolder, secretFile } from "@swath/store/node";
import { InvalidArgumentError } from "commander";
import type { Options } from "./options.ts";

/** The scenes of the command, and the folder of indexes and the synthetic archive. */
export interface ScenesOptions extends Pick<Options, "catalog" | "archive"> {
  readonly data: string;
  /** Told how much of the synthetic archive is made, 0 to 1. */
  readonly onMaking: (done: number) => void;
  /** Told which files of a folder are not served, and why: a line for each. */
  readonly onLeftOut: (lines: readonly string[]) => void;
  /** Told what is missing of files that are served. */
  readonly onRemarks: (lines: readonly string[]) => void;
  readonly signal: AbortSignal;
}

/** Upstreams whose collections the synthetic archive has, and collections of theirs that it has no scenes of. */
const ARCHIVED = ["default", "lpcloud", "pc"];
const NOT_ARCHIVED = ["sentinel-2-l1c"];

/** Opens the catalog that options name, or the synthetic archive, which is made at first. */
export async function openScenes(options: ScenesOptions): Promise<SceneSource> {
  const { catalog, archive, data: dataDir, onMaking, onLeftOut, onRemarks, signal } = options;
  if (catalog !== undefined) {
    if (archive !== undefined) throw new InvalidArgumentError("Expected --catalog or --archive, got both.");
    const { name, url } = readCatalog(catalog);
    return { upstream: url, name };
  }
  await makeFolder(dataDir).catch(({ code }: NodeJS.ErrnoException) => {
    throw new InvalidArgumentError(
      `--data: Expected a folder that is there or can be made, got "${dataDir}" (${code}).`,
    );
  });
  if (archive !== undefined) {
    const builtIn = BUILT_IN_FILES.flatMap((file) => (isVirtualFile(file) ? [] : [file]));
    // signs addresses in the index of a folder: the same as the last time, so that the index stays good
    const secret = (await secretFile(dataDir, "archive-secret")).toString("base64url");
    const own = await openOwnArchive({ path: archive, dataDir, secret, builtIn, presets: BUILT_IN_PRESETS, signal });
    onLeftOut(own.first.refused);
    onRemarks(own.first.remarks);
    const registry = createRegistry(own.collections).withUpstreams([ARCHIVE]);
    return { registry, catalog: own.catalog, sources: { folder: own.folder } };
  }
  const directory = join(dataDir, "sandbox");
  await makeSandbox(directory, { signal, onProgress: (done, total) => onMaking(done / total) });
  const files = BUILT_IN_FILES.filter(({ id }) => !NOT_ARCHIVED.includes(id));
  const registry = createRegistry(files).withUpstreams(ARCHIVED);
  return { registry, catalog: await openArchive(directory, { registry }), sources: { archiveDirectory: directory } };
}

/** `name=https://...` or `https://...`: the name decides which collections of the schema a STAC API has. */
export function readCatalog(text: string): { readonly name: string; readonly url: string } {
  const [, name = "default", url = ""] = /^(?:([a-z][a-z0-9-]{0,31})=)?(https?:\/\/.+?)\/*$/.exec(text) ?? [];
  if (URL.canParse(url)) return { name, url };
  throw new InvalidArgumentError(`--catalog: Expected https://address or name=https://address, got "${text}".`);
}

/** Returns the folder of indexes and the synthetic archive. */
export function dataFolder({ data }: Options, environment: Readonly<Record<string, string | undefined>>): string {
  return data ?? environment.SWATH_DATA_DIR ?? join(environment.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "swath");
}
