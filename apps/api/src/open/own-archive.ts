import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ARCHIVE, type OwnArchive, openOwnArchive } from "@swath/archive";
import { SchemaError } from "@swath/schema";
import { type CollectionFile, isVirtualFile, parseAnyCollectionFile } from "@swath/schema/files";
import { secretFile } from "@swath/store/node";
import { type Environment, EnvironmentError } from "./environment/environment.ts";
import { FULL_FILES, LEAN_FILES } from "./served-files.ts";

type Given = Pick<Environment, "archive" | "dataDir" | "upstreamUrl" | "upstreams" | "profile" | "collectionsDir">;

/**
 * Opens the folder that the environment names; `undefined` where it names none.
 *
 * @throws {EnvironmentError} one line for a folder or a collection file that cannot be used.
 */
export async function openArchiveOf(environment: Given, signal?: AbortSignal): Promise<OwnArchive | undefined> {
  const { archive, dataDir, upstreamUrl, upstreams, profile } = environment;
  if (archive === undefined) return undefined;
  const { collections, presets } = profile === "full" ? FULL_FILES : LEAN_FILES;
  const configured = new Set([...(upstreamUrl === undefined ? [] : ["default"]), ...Object.keys(upstreams)]);
  const real = collections.filter((file): file is CollectionFile => !isVirtualFile(file));
  const isTaken = ({ upstream }: CollectionFile): boolean => configured.has(upstream.name ?? "default");
  try {
    return await openOwnArchive({
      path: archive.path,
      dataDir,
      secret: (await secretFile(dataDir, "archive-secret")).toString("base64url"),
      builtIn: real.filter((file) => !isTaken(file)),
      own: filesOfArchive(environment.collectionsDir),
      taken: new Set(real.filter(isTaken).map(({ id }) => id)),
      presets,
      signal,
    });
  } catch (error) {
    signal?.throwIfAborted();
    const isKnown = error instanceof SchemaError || (error instanceof Error && "code" in error);
    if (!isKnown) throw error;
    throw new EnvironmentError(`SWATH_ARCHIVE="${archive.path}": ${error.message}`, { cause: error });
  }
}

/** Collection files of the other folder whose upstream is the archive. */
function filesOfArchive(directory: string | undefined): readonly CollectionFile[] {
  if (directory === undefined) return [];
  const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return names.sort().flatMap((name) => {
    const text = readFileSync(join(directory, name), "utf8");
    // other kinds of files, and faults in them, are looked at where those are read
    if (!new RegExp(`"name"\\s*:\\s*"${ARCHIVE}"`).test(text)) return [];
    const file = parseAnyCollectionFile(text, name);
    return isVirtualFile(file) || file.upstream.name !== ARCHIVE ? [] : [file];
  });
}
