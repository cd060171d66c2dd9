import { readdir } from "node:fs/promises";
import {
  type AnyCollectionFile,
  type CollectionFile,
  isVirtualFile,
  parseAnyCollectionFile,
} from "@swath/schema/files";
import { MAX_COLLECTION_BYTES, MAX_DOCUMENT_BYTES } from "../limits.ts";
import { ARCHIVE } from "../name.ts";
import type { Refusals } from "../refusals.ts";
import type { NamedTime } from "./dates-in-paths.ts";
import { linkedItems } from "./linked-items.ts";
import { isJson, readJson } from "./read-json.ts";
import { type FolderFile, statFile, walkFolder } from "./walk.ts";

/** The contents of a folder. */
export interface Survey {
  /** Documents that may hold items. */
  readonly documents: readonly FolderFile[];
  readonly tiffs: readonly FolderFile[];
  /** Paths of the `collection.json` of the folder and of the folders at its top. */
  readonly described: readonly string[];
}

/** Documents at the top of a folder that are looked at for collection files. */
const MAX_TOP_DOCUMENTS = 1000;
const TIFF = /\.tiff?$/i;
/** Names of the first document of a static catalog, at the top of the folder. */
const ROOTS = ["catalog.json", "collection.json"];
const DESCRIPTION = /^(?:[^/]+\/)?collection\.json$/;

/**
 * Lists what a folder has: of a static catalog the item documents that its links lead to, else all documents that are no
 * collection files; and all TIFFs.
 *
 * @param place a folder; with `document` the items of that document alone, or of the catalog that it is.
 */
export async function surveyFolder(
  { directory, document }: { readonly directory: string; readonly document?: string | undefined },
  collectionFiles: ReadonlySet<string>,
  refusals: Refusals,
  options: { readonly signal?: AbortSignal | undefined } = {},
): Promise<Survey> {
  const root = await catalogRoot(directory, document === undefined ? ROOTS : [document]);
  const documents: FolderFile[] = [];
  const tiffs: FolderFile[] = [];
  const described: string[] = [];
  if (root !== undefined) {
    for await (const file of linkedItems(directory, root, refusals, options)) documents.push(file);
  }
  if (document !== undefined) {
    const items = root === undefined ? await statFile(directory, document, refusals) : undefined;
    return { documents: items === undefined ? documents : [items], tiffs, described };
  }
  for await (const file of walkFolder(directory, refusals, options)) {
    if (DESCRIPTION.test(file.path) && described.length < MAX_TOP_DOCUMENTS) described.push(file.path);
    if (TIFF.test(file.path)) tiffs.push(file);
    else if (root === undefined && !collectionFiles.has(file.path)) documents.push(file);
  }
  return { documents, tiffs, described };
}

/**
 * The stretches of time that STAC collections name, by their folders (empty: the archive's own). Those that are open at an end are
 * none of an item.
 */
export async function describedTimes(
  directory: string,
  { described }: Pick<Survey, "described">,
): Promise<ReadonlyMap<string, NamedTime>> {
  const times = new Map<string, NamedTime>();
  for (const path of described) {
    const document = await readJson(directory, path, MAX_COLLECTION_BYTES).catch(() => undefined);
    const { extent, type } = isJson(document) ? document : {};
    const temporal = isJson(extent) && isJson(extent.temporal) ? extent.temporal.interval : undefined;
    const first: unknown = Array.isArray(temporal) ? temporal[0] : undefined;
    if (type !== "Collection" || !Array.isArray(first)) continue;
    const [start = Number.NaN, end = Number.NaN] = first.map((each) => Date.parse(String(each)));
    if (!(start <= end)) continue;
    const interval = [new Date(start).toISOString(), new Date(end).toISOString()] as const;
    times.set(topOf(path), { interval });
  }
  return times;
}

/** The folder at the top in which a file is; empty for a file beside them. */
export function topOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.indexOf("/")) : "";
}

/** The first document of a static catalog; `undefined` where the folder is none. */
async function catalogRoot(directory: string, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const document = await readJson(directory, name, MAX_DOCUMENT_BYTES).catch(() => undefined);
    if (isJson(document) && (document.type === "Catalog" || document.type === "Collection")) return name;
  }
  return undefined;
}

/**
 * The collection files at the top of a folder: JSON documents with `bands` and `upstream`. Their items come from the
 * folder, whatever upstream they name.
 *
 * @throws {CollectionFileError} for one that cannot be used.
 */
export async function ownCollections(directory: string): Promise<ReadonlyMap<string, CollectionFile>> {
  const found = new Map<string, CollectionFile>();
  const names = (await readdir(directory)).filter((name) => /^[^.].*\.json$/i.test(name)).sort();
  for (const path of names.slice(0, MAX_TOP_DOCUMENTS)) {
    const document = await readJson(directory, path, MAX_COLLECTION_BYTES).catch(() => undefined);
    if (!isJson(document) || !isJson(document.upstream) || !Array.isArray(document.bands)) continue;
    const file: AnyCollectionFile = parseAnyCollectionFile(JSON.stringify(document), path);
    if (!isVirtualFile(file)) found.set(path, inArchive(file));
  }
  return found;
}

/** The file with its items in the folder. */
export function inArchive(file: CollectionFile): CollectionFile {
  return { ...file, upstream: { ...file.upstream, name: ARCHIVE } };
}
