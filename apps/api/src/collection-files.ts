import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyCollectionFile,
  type CollectionRegistry,
  createRegistry,
  parseAnyCollectionFile,
  SchemaError,
} from "@swath/schema";
import { type Environment, EnvironmentError } from "./environment.ts";
import { FULL_FILES, LEAN_FILES, type ServedFiles } from "./served-files.ts";

const FILES: Readonly<Record<Environment["profile"], ServedFiles>> = { full: FULL_FILES, lean: LEAN_FILES };

/** Upstreams whose collections the synthetic archive has too. */
const ARCHIVED: readonly string[] = ["lpcloud", "pc"];
/** Collections of the default upstream that the synthetic archive has no scenes of: it has no writer of JPEG 2000. */
const NOT_ARCHIVED: readonly string[] = ["sentinel-2-l1c"];

/**
 * Names of the upstreams that the first catalog stands for: the default one, and without an upstream also those whose
 * collections the synthetic archive has, unless the environment names them.
 */
export function archiveUpstreams({ upstreamUrl, upstreams }: Pick<Environment, "upstreamUrl" | "upstreams">): string[] {
  if (upstreamUrl !== undefined) return ["default"];
  return ["default", ...ARCHIVED.filter((name) => !Object.hasOwn(upstreams, name))];
}

/**
 * The collections that are live on this server: the built-in ones of its profile and those of the folder of the
 * environment, as far as their upstream is there.
 *
 * @throws {EnvironmentError} one line for a file that cannot be used, with its name, the JSON Pointer of its first
 *   fault, what was expected and what came.
 */
export function openRegistry(
  environment: Pick<Environment, "collectionsDir" | "upstreams" | "upstreamUrl" | "profile">,
): CollectionRegistry {
  const { collectionsDir, upstreams, profile, upstreamUrl } = environment;
  const { presets, ...files } = FILES[profile];
  const collections = files.collections.filter(({ id }) => upstreamUrl !== undefined || !NOT_ARCHIVED.includes(id));
  const all =
    collectionsDir === undefined
      ? createRegistry(collections, presets)
      : withFilesOf(collectionsDir, { collections, presets });
  return all.withUpstreams([...archiveUpstreams(environment), ...Object.keys(upstreams)]);
}

function withFilesOf(directory: string, { collections, presets }: ServedFiles): CollectionRegistry {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
    const own = names.sort().map((name): AnyCollectionFile => {
      return parseAnyCollectionFile(readFileSync(join(directory, name), "utf8"), name);
    });
    return createRegistry([...collections, ...own], presets);
  } catch (error) {
    const isKnown = error instanceof SchemaError || (error instanceof Error && "code" in error);
    if (!isKnown) throw error;
    throw new EnvironmentError(`SWATH_COLLECTIONS_DIR: ${error.message}`, { cause: error });
  }
}
