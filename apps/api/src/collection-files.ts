import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyCollectionFile,
  BUILT_IN_FILES,
  type CollectionRegistry,
  createRegistry,
  defaultRegistry,
  parseAnyCollectionFile,
  SchemaError,
} from "@swath/schema";
import { type Environment, EnvironmentError } from "./environment.ts";

/**
 * The collections that are live on this server: the built-in ones and those of the folder of the environment, as far as
 * their upstream is there.
 *
 * @throws {EnvironmentError} one line for a file that cannot be used, with its name, the JSON Pointer of its first
 *   fault, what was expected and what came.
 */
export function openRegistry(environment: Pick<Environment, "collectionsDir" | "upstreams">): CollectionRegistry {
  const { collectionsDir, upstreams } = environment;
  const all = collectionsDir === undefined ? defaultRegistry : withFilesOf(collectionsDir);
  return all.withUpstreams(["default", ...Object.keys(upstreams)]);
}

function withFilesOf(directory: string): CollectionRegistry {
  try {
    const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
    const own = names.sort().map((name): AnyCollectionFile => {
      return parseAnyCollectionFile(readFileSync(join(directory, name), "utf8"), name);
    });
    return createRegistry([...BUILT_IN_FILES, ...own]);
  } catch (error) {
    const isKnown = error instanceof SchemaError || (error instanceof Error && "code" in error);
    if (!isKnown) throw error;
    throw new EnvironmentError(`SWATH_COLLECTIONS_DIR: ${error.message}`, { cause: error });
  }
}
