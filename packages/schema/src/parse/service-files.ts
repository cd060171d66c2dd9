import { SchemaError } from "../errors.ts";
import { type AnyCollectionFile, type CollectionFile, isVirtualFile } from "../file/collection-file.ts";
import type { UpstreamKindFile } from "../file/upstream-kind-file.ts";
import type { PresetFile } from "../preset/preset.ts";
import { isUpstreamKindFile, parseServiceFile } from "./parse.ts";
import { parsePresetFile } from "./parse-preset.ts";

/** A file of a folder: its name, and its text. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A collection file, and what people know it by. */
export interface SourcedFile {
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
export function checkFileNames(files: readonly SourcedFile[]): void {
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

/** Files of collections, then those of an archive in its order, which take the place of files of the same id. */
export function withArchived(
  files: readonly AnyCollectionFile[],
  archived: readonly CollectionFile[],
): readonly AnyCollectionFile[] {
  const ids = new Set<string>(archived.map(({ id }) => id));
  return [...files.filter(({ id }) => !ids.has(id)), ...archived];
}

/**
 * The collections and the kinds of upstreams of a folder.
 *
 * @throws {SchemaError} as `parseServiceFile`.
 */
export function readServiceFiles(texts: readonly NamedText[]): {
  readonly own: readonly SourcedFile[];
  readonly kinds: readonly UpstreamKindFile[];
} {
  const files = texts.map(({ name, text }) => ({ file: parseServiceFile(text, name), source: name }));
  return {
    own: files.flatMap(({ file, source }) => (isUpstreamKindFile(file) ? [] : [{ file, source }])),
    kinds: files.map(({ file }) => file).filter(isUpstreamKindFile),
  };
}

/**
 * The presets of a folder; one that no collection has a recipe for is drawn of all that have its bands.
 *
 * @param known presets that there are already
 * @throws {SchemaError} as `parsePresetFile`, and `duplicate-name` for a preset that there is already.
 */
export function readPresetFiles(
  texts: readonly NamedText[],
  collections: readonly AnyCollectionFile[],
  known: readonly PresetFile[],
): readonly PresetFile[] {
  const ids = new Set(known.map(({ id }) => id));
  return texts.map(({ name, text }) => {
    const file = parsePresetFile(text, name);
    if (ids.has(file.id)) {
      throw new SchemaError("duplicate-name", file.id, `The preset "${file.id}" of ${name} is there already.`);
    }
    ids.add(file.id);
    const hasRecipe = collections.some(({ recipes = {} }) => Object.hasOwn(recipes, file.id));
    return hasRecipe ? file : { ...file, recipes: "derived" as const };
  });
}
