import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyCollectionFile,
  type CollectionFile,
  type CollectionRegistry,
  createRegistry,
  parseAnyCollectionFile,
  SchemaError,
} from "@swath/schema";
import { ARCHIVE } from "./archive/name.ts";
import { type Environment, EnvironmentError } from "./environment.ts";
import { FULL_FILES, LEAN_FILES, type ServedFiles } from "./served-files.ts";

const FILES: Readonly<Record<Environment["profile"], ServedFiles>> = { full: FULL_FILES, lean: LEAN_FILES };

/** Upstreams whose collections the synthetic archive has too. */
const ARCHIVED: readonly string[] = ["lpcloud", "pc"];

/**
 * Names of the upstreams that the first catalog stands for: the default one, and without an upstream also those whose
 * collections the synthetic archive has, unless the environment names them. None where the owner has an archive alone.
 */
export function archiveUpstreams({
  upstreamUrl,
  upstreams,
  archive,
}: Pick<Environment, "upstreamUrl" | "upstreams" | "archive">): string[] {
  if (upstreamUrl !== undefined) return ["default"];
  if (archive !== undefined) return [];
  return ["default", ...ARCHIVED.filter((name) => !Object.hasOwn(upstreams, name))];
}

/**
 * The collections that are live on this server: the built-in ones of its profile and those of the folder of the
 * environment, as far as their upstream is there, and those of the archive.
 *
 * @param archived collections whose items are in the archive; they take the place of files of the same id.
 * @throws {EnvironmentError} one line for a file that cannot be used, with its name, the JSON Pointer of its first
 *   fault, what was expected and what came.
 */
export function openRegistry(
  environment: Pick<Environment, "collectionsDir" | "upstreams" | "upstreamUrl" | "profile" | "archive">,
  archived: readonly CollectionFile[] = [],
): CollectionRegistry {
  const { collectionsDir, upstreams, profile, archive } = environment;
  const { collections, presets } = FILES[profile];
  const all =
    collectionsDir === undefined
      ? registryOf(withArchived(collections, archived), presets)
      : withFilesOf(collectionsDir, { collections, presets }, archived);
  return all.withUpstreams([
    ...archiveUpstreams(environment),
    ...Object.keys(upstreams),
    ...(archive === undefined ? [] : [ARCHIVE]),
  ]);
}

/** Files of collections that an archive has too are those of the archive. */
function withArchived(
  files: readonly AnyCollectionFile[],
  archived: readonly CollectionFile[],
): readonly AnyCollectionFile[] {
  const ids = new Set(files.map(({ id }) => id));
  const found = new Map(archived.map((file) => [file.id, file]));
  return [...files.map((file) => found.get(file.id) ?? file), ...archived.filter(({ id }) => !ids.has(id))];
}

function registryOf(files: readonly AnyCollectionFile[], presets: ServedFiles["presets"]): CollectionRegistry {
  try {
    return createRegistry(files, presets);
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new EnvironmentError(`SWATH_ARCHIVE: ${error.message}`, { cause: error });
  }
}

function withFilesOf(
  directory: string,
  { collections, presets }: ServedFiles,
  archived: readonly CollectionFile[],
): CollectionRegistry {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
    const own = names.sort().map((name): AnyCollectionFile => {
      return parseAnyCollectionFile(readFileSync(join(directory, name), "utf8"), name);
    });
    return createRegistry(withArchived([...collections, ...own], archived), presets);
  } catch (error) {
    const isKnown = error instanceof SchemaError || (error instanceof Error && "code" in error);
    if (!isKnown) throw error;
    throw new EnvironmentError(`SWATH_COLLECTIONS_DIR: ${error.message}`, { cause: error });
  }
}
