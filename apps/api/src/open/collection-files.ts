import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ARCHIVE } from "@swath/archive";
import { type CollectionRegistry, createRegistry, SchemaError } from "@swath/schema";
import {
  type AnyCollectionFile,
  type CollectionFile,
  checkFileNames,
  type NamedText,
  type PresetFile,
  readPresetFiles,
  readServiceFiles,
  type UpstreamKindFile,
  withArchived,
} from "@swath/schema/files";
import { findUpstreamKind, UPSTREAM_KINDS, upstreamKindOf } from "@swath/schema/upstreams";
import { type Environment, EnvironmentError } from "./environment/environment.ts";
import { FULL_FILES, LEAN_FILES, type ServedFiles } from "./served-files.ts";

const FILES: Readonly<Record<Environment["profile"], ServedFiles>> = { full: FULL_FILES, lean: LEAN_FILES };

/** Upstreams whose collections the synthetic archive has too. */
const ARCHIVED: readonly string[] = ["lpcloud", "pc"];
/** Collections of the default upstream that the synthetic archive has no scenes of: it has no writer of JPEG 2000. */
const NOT_ARCHIVED: readonly string[] = ["sentinel-2-l1c"];

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

/** Names of upstreams whose files are on this machine: the synthetic archive's, and the owner's folder. */
export function localUpstreamNames(environment: Pick<Environment, "upstreamUrl" | "upstreams" | "archive">): string[] {
  return [ARCHIVE, ...(environment.upstreamUrl === undefined ? archiveUpstreams(environment) : [])];
}

/** The contents of the built-in files and of those in the environment's folder. */
export interface OpenedFiles {
  /** The collections that are live on this server: those of its profile and of the folder whose upstream is there. */
  readonly registry: CollectionRegistry;
  /** Those and the ones whose upstream is not there. */
  readonly known: CollectionRegistry;
  /** The kinds of upstreams of the folder. */
  readonly kinds: readonly UpstreamKindFile[];
}

type Given = Pick<Environment, "collectionsDir" | "upstreams" | "upstreamUrl" | "profile" | "archive">;

/** The collections of {@link openFiles} alone. */
export function openRegistry(environment: Given, archived?: readonly CollectionFile[]): CollectionRegistry {
  return openFiles(environment, archived).registry;
}

/**
 * Reads the files.
 *
 * @param archived collections whose items are in the archive; they take the place of files of the same id.
 * @throws {EnvironmentError} one line for a file that cannot be used, with its name, the JSON Pointer of its first
 *   fault, what was expected and what came.
 */
export function openFiles(environment: Given, archived: readonly CollectionFile[] = []): OpenedFiles {
  const { collectionsDir, upstreams, upstreamUrl, profile, archive } = environment;
  const { presets, ...files } = FILES[profile];
  const hasSandbox = upstreamUrl === undefined && archive === undefined;
  const collections = files.collections.filter(({ id }) => !hasSandbox || !NOT_ARCHIVED.includes(id));
  const configured = [...Object.keys(upstreams), ...(archive === undefined ? [] : [ARCHIVE])];
  // the synthetic archive has the collections of the first upstreams alone
  const live = (all: CollectionRegistry): CollectionRegistry =>
    all.withUpstreams([...archiveUpstreams(environment), ...configured], configured);
  try {
    const { own, kinds } = readServiceFiles(collectionsDir === undefined ? [] : textsOf(collectionsDir));
    checkFileNames([...collections.map((file) => ({ file, source: `the built-in collection ${file.id}` })), ...own]);
    const all = withArchived([...collections, ...own.map(({ file }) => file)], archived);
    const known = createRegistry(all, [...presets, ...ownPresets(collectionsDir, all, presets)]);
    return { registry: live(known), known, kinds };
  } catch (error) {
    throw asFault(error);
  }
}

/** The JSON files of a folder by name. */
function textsOf(directory: string, prefix = ""): readonly NamedText[] {
  const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return names.sort().map((name) => ({ name: `${prefix}${name}`, text: readFileSync(join(directory, name), "utf8") }));
}

/** The presets of the folder `presets` beside one's own collections. @throws {SchemaError} */
function ownPresets(
  directory: string | undefined,
  collections: readonly AnyCollectionFile[],
  known: readonly PresetFile[],
): readonly PresetFile[] {
  const folder = join(directory ?? "", "presets");
  if (directory === undefined || !existsSync(folder)) return [];
  return readPresetFiles(textsOf(folder, "presets/"), collections, known);
}

function asFault(error: unknown): unknown {
  const isKnown = error instanceof SchemaError || (error instanceof Error && "code" in error);
  return isKnown ? new EnvironmentError(`SWATH_COLLECTIONS_DIR: ${error.message}`, { cause: error }) : error;
}

/**
 * Returns the abilities of the upstream of a name: those of the kind that the environment names for it, else those of
 * its host.
 *
 * @throws {EnvironmentError} for a kind that there is none of.
 */
export function kindOf(
  { upstreamKinds }: Pick<Environment, "upstreamKinds">,
  kinds: readonly UpstreamKindFile[],
  name: string,
  address: string,
): UpstreamKindFile {
  const id = Object.hasOwn(upstreamKinds, name) ? upstreamKinds[name] : undefined;
  if (id === undefined) return upstreamKindOf(address, kinds);
  const kind = findUpstreamKind(id, kinds);
  if (kind !== undefined) return kind;
  const known = [...new Set([...kinds, ...UPSTREAM_KINDS].map((each) => each.id))].join(", ");
  throw new EnvironmentError(`SWATH_UPSTREAMS: expected a kind of upstream (${known}), got "${id}".`);
}
