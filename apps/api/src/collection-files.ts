import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AnyCollectionFile,
  type CollectionRegistry,
  createRegistry,
  isVirtualFile,
  parseAnyCollectionFile,
  SchemaError,
} from "@swath/schema";
import { type Environment, EnvironmentError } from "./environment.ts";
import { FULL_FILES, LEAN_FILES, type ServedFiles } from "./served-files.ts";

const FILES: Readonly<Record<Environment["profile"], ServedFiles>> = { full: FULL_FILES, lean: LEAN_FILES };

/** Upstreams whose collections the synthetic archive has too. */
const ARCHIVED: readonly string[] = ["lpcloud", "pc"];

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
  const { collectionsDir, upstreams, profile } = environment;
  const { collections, presets } = FILES[profile];
  const all =
    collectionsDir === undefined
      ? createRegistry(collections, presets)
      : withFilesOf(collectionsDir, { collections, presets });
  return all.withUpstreams([...archiveUpstreams(environment), ...Object.keys(upstreams)]);
}

function withFilesOf(directory: string, { collections, presets }: ServedFiles): CollectionRegistry {
  try {
    const names = readdirSync(directory)
      .filter((name) => name.endsWith(".json"))
      .sort();
    const own = names.map((name): AnyCollectionFile => {
      return parseAnyCollectionFile(readFileSync(join(directory, name), "utf8"), name);
    });
    checkNames([
      ...collections.map((file) => ({ file, source: `the built-in collection ${file.id}` })),
      ...own.map((file, i) => ({ file, source: names[i] ?? "" })),
    ]);
    return createRegistry([...collections, ...own], presets);
  } catch (error) {
    const isKnown = error instanceof SchemaError || (error instanceof Error && "code" in error);
    if (!isKnown) throw error;
    throw new EnvironmentError(`SWATH_COLLECTIONS_DIR: ${error.message}`, { cause: error });
  }
}

/** A collection file, and what people know it by. */
interface SourcedFile {
  readonly file: AnyCollectionFile;
  readonly source: string;
}

/** The id and the aliases of a file's collection, each once. */
function namesIn(file: AnyCollectionFile): ReadonlySet<string> {
  return new Set([file.id, ...(isVirtualFile(file) ? [] : (file.aliases ?? []).map(({ id }) => id))]);
}

/**
 * Checks that no two files give one name to their collections; the registry would know the collections alone, and two
 * files may have the same.
 *
 * @throws {SchemaError} `duplicate-name`, naming both files.
 */
function checkNames(files: readonly SourcedFile[]): void {
  const sources = new Map<string, string>();
  for (const { file, source } of files) {
    for (const name of namesIn(file)) {
      const other = sources.get(name);
      if (other !== undefined) {
        const message = `The id or alias "${name}" is given twice: in ${other} and in ${source}.`;
        throw new SchemaError("duplicate-name", name, message);
      }
      sources.set(name, source);
    }
  }
}
