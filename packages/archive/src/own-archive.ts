import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { createStoredCatalog, type StoredCatalog } from "@swath/catalog";
import type { FolderFiles } from "@swath/engine/node";
import { type CollectionFile, createRegistry, type PresetFile } from "@swath/schema";
import { placeOf } from "./file-items.ts";
import type { HeaderFacts } from "./header-facts.ts";
import { IndexFile } from "./index-file.ts";
import { fingerprintOf, Indexing, type Placed } from "./index-folder.ts";
import { itemsOf } from "./item-documents.ts";
import { MAX_MADE_COLLECTIONS } from "./limits.ts";
import { madeCollection, madeCollectionId, madePlace, shapeInWords, signatureOf } from "./made-collections.ts";
import { readHeaders } from "./read-headers.ts";
import { isJson } from "./read-json.ts";
import { Refusals } from "./refusals.ts";
import { inArchive, ownCollections, surveyFolder } from "./survey.ts";
import type { FolderFile } from "./walk.ts";

/** A path that cannot be an archive. */
class ArchiveError extends Error {
  readonly code = "no-archive";
}

/** The findings of a scan of the folder. */
export interface ScanReport {
  readonly items: number;
  /** Items that are new or changed, and items that are gone. */
  readonly written: number;
  readonly removed: number;
  /** Files whose headers were read. */
  readonly opened: number;
  /** Files that are not served, with the reason of each of the first. */
  readonly refused: readonly string[];
  readonly milliseconds: number;
}

/** Options of `openOwnArchive`. */
export interface OwnArchiveOptions {
  /** A folder, or a document in one: the `catalog.json` of a static catalog, or a file of items. */
  readonly path: string;
  /** Folder in which the index is kept, an SQLite file for each archive. */
  readonly dataDir: string;
  /** Signs addresses of files. */
  readonly secret: string;
  /** Known collections that items of the folder may be of; default: none. */
  readonly builtIn?: readonly CollectionFile[];
  /** Collection files from elsewhere whose items are in the folder; default: none. */
  readonly own?: readonly CollectionFile[];
  /** Ids of collections that come from upstreams, which no folder may have; default: none. */
  readonly taken?: ReadonlySet<string>;
  readonly presets?: readonly PresetFile[];
  readonly signal?: AbortSignal | undefined;
}

/** A folder as a catalog. */
export interface OwnArchive {
  readonly folder: FolderFiles;
  /** The collections whose items are in the folder. */
  readonly collections: readonly CollectionFile[];
  readonly catalog: StoredCatalog;
  readonly first: ScanReport;
  /** Looks at the folder again; what is new is served from then on. */
  scan(options?: { readonly signal?: AbortSignal | undefined }): Promise<ScanReport>;
  /** Serves what another process has put into the index; false where nothing came. */
  refreshIfChanged(): boolean;
  close(): void;
}

/**
 * Opens a folder: looks at what has changed since the last time, and serves the rest from its index.
 *
 * @throws {CollectionFileError} for a collection file in the folder that cannot be used, {SchemaError} for collections that
 *   do not fit each other, and what the system says of a folder that cannot be read.
 */
export async function openOwnArchive(given: OwnArchiveOptions): Promise<OwnArchive> {
  const options = { builtIn: [], own: [], taken: new Set<string>(), presets: [], ...given };
  const path = await realpath(options.path);
  const isDocument = await isFile(path);
  const directory = isDocument ? dirname(path) : path;
  const folder: FolderFiles = { directory, secret: options.secret };
  const document = isDocument ? basename(path) : undefined;
  const index = IndexFile.open(options.dataDir, path);
  try {
    const inFolder = await ownCollections(directory);
    const described = [...inFolder.values(), ...options.own.map(inArchive)];
    const scanner = new Scanner({ ...folder, document }, index, described, new Set(inFolder.keys()), options);
    const first = await scanner.scan(options.signal);
    const catalog = createStoredCatalog(index);
    const collections = scanner.serve(catalog.collections);
    let dataVersion = index.dataVersion;
    return {
      folder,
      collections,
      catalog,
      first: { ...first, items: catalog.size },
      async scan({ signal } = {}) {
        const report = await scanner.scan(signal);
        if (report.written + report.removed > 0) catalog.refresh();
        return { ...report, items: catalog.size };
      },
      refreshIfChanged() {
        const version = index.dataVersion;
        if (version === dataVersion) return false;
        dataVersion = version;
        index.forget();
        catalog.refresh();
        return true;
      },
      close: () => index.close(),
    };
  } catch (error) {
    index.close();
    throw error;
  }
}

/** @throws for what is neither a folder nor a file, such as a pipe, which is never opened. */
async function isFile(path: string): Promise<boolean> {
  const found = await stat(path);
  if (!found.isFile() && !found.isDirectory()) throw new ArchiveError("Expected a folder or a file.");
  return found.isFile();
}

/** A folder, or the documents that one of its documents leads to. */
interface Place extends FolderFiles {
  readonly document?: string | undefined;
}

/** Looks at a folder again and again. */
class Scanner {
  readonly #folder: Place;
  readonly #index: IndexFile;
  readonly #described: readonly CollectionFile[];
  readonly #collectionFiles: ReadonlySet<string>;
  readonly #options: Required<Omit<OwnArchiveOptions, "signal">>;
  readonly #made = new Map<string, { readonly collection: CollectionFile; readonly signature: string }>();
  /** Collections that are served; `undefined` before the first scan. */
  #served: ReadonlySet<string> | undefined;

  constructor(
    folder: Place,
    index: IndexFile,
    described: readonly CollectionFile[],
    collectionFiles: ReadonlySet<string>,
    options: Required<Omit<OwnArchiveOptions, "signal">>,
  ) {
    this.#folder = folder;
    this.#index = index;
    this.#described = described;
    this.#collectionFiles = collectionFiles;
    this.#options = options;
  }

  /** The files of the collections that are served from now on. */
  serve(present: ReadonlySet<string>): readonly CollectionFile[] {
    const files = this.#candidates().filter((file) => this.#described.includes(file) || present.has(file.id));
    this.#served = new Set(files.map(({ id }) => id));
    return files;
  }

  async scan(signal: AbortSignal | undefined): Promise<Omit<ScanReport, "items">> {
    const started = performance.now();
    const refusals = new Refusals();
    this.#index.beginScan();
    const survey = await surveyFolder(this.#folder, this.#collectionFiles, refusals, { signal });
    const hasRules = this.#described.some(({ upstream }) => upstream.files !== undefined);
    const { placed, opened } = hasRules
      ? await this.#placed(survey.tiffs, refusals, signal)
      : { placed: [], opened: 0 };
    let made = { placed: [] as Placed[], opened: 0 };
    if (!hasRules && !(await hasItems(this.#folder.directory, survey.documents)))
      made = await this.#madePlaces(survey.tiffs, refusals, signal);
    const candidates = this.#candidates();
    const indexing = new Indexing({
      folder: this.#folder,
      index: this.#index,
      registry: createRegistry(candidates, this.#options.presets),
      fingerprint: fingerprintOf(candidates, this.#folder),
      served: this.#served,
      refusals,
      signal,
    });
    indexing.files([...placed, ...made.placed]);
    for (const document of survey.documents) await indexing.document(document);
    indexing.finish();
    const removed = this.#index.endScan();
    return {
      written: indexing.written,
      removed,
      opened: opened + made.opened,
      refused: refusals.lines(),
      milliseconds: Math.round(performance.now() - started),
    };
  }

  #candidates(): readonly CollectionFile[] {
    const own = [...this.#described, ...[...this.#made.values()].map(({ collection }) => collection)];
    const ids = new Set(own.map(({ id }) => id));
    return [...this.#options.builtIn.filter(({ id }) => !ids.has(id)).map(inArchive), ...own];
  }

  /** Files that a rule of a collection fits. */
  async #placed(tiffs: readonly FolderFile[], refusals: Refusals, signal: AbortSignal | undefined) {
    const places = new Map(tiffs.map((file) => [file.path, placeOf(file.path, this.#described)]));
    for (const [path, place] of places)
      if (place === undefined) refusals.add(path, "no collection file has a path for it");
    const placed: Placed[] = [];
    const files = tiffs.filter(({ path }) => places.get(path) !== undefined);
    const opened = await readHeaders(
      eachOf(files),
      { folder: this.#folder, index: this.#index, signal },
      (file, known) => {
        const place = places.get(file.path);
        if ("fault" in known) refusals.add(file.path, known.fault);
        else if (place !== undefined) placed.push({ file, place });
      },
    );
    return { placed, opened };
  }

  /** Files that nothing describes: a collection for each folder at the top. */
  async #madePlaces(tiffs: readonly FolderFile[], refusals: Refusals, signal: AbortSignal | undefined) {
    const files = [...tiffs].sort((a, b) => (a.path < b.path ? -1 : 1));
    const headers = new Map<string, { readonly signature: string; readonly header: () => HeaderFacts | undefined }>();
    const reading = { folder: this.#folder, index: this.#index, signal };
    const opened = await readHeaders(eachOf(files), reading, (file, known) => {
      if ("fault" in known) refusals.add(file.path, known.fault);
      else headers.set(file.path, { signature: signatureOf(known.header), header: () => this.#headerOf(file) });
    });
    const root = basename(this.#folder.directory);
    const ids = new Set<string>();
    const placed = files.flatMap((file): Placed[] => {
      const found = headers.get(file.path);
      const header = found?.header();
      if (found === undefined || header === undefined) return [];
      const id = madeCollectionId(file.path, root);
      const made = this.#make(id, header, found.signature);
      if (typeof made === "string") {
        refusals.add(file.path, made);
        return [];
      }
      return [{ file, place: madePlace(made, file.path, ids) }];
    });
    return { placed, opened };
  }

  #headerOf(file: FolderFile): HeaderFacts | undefined {
    const known = this.#index.header(file.path, `${file.size}-${file.mtimeMs}`);
    return known === undefined || "fault" in known ? undefined : known.header;
  }

  /** The collection of a file, or why it has none. */
  #make(id: string, header: HeaderFacts, signature: string): CollectionFile | string {
    const known = this.#made.get(id);
    if (known?.signature === signature) return known.collection;
    if (known !== undefined) {
      const [first] = known.collection.bands;
      return `it has ${shapeInWords(header)}, unlike the collection ${id} (${known.collection.bands.length} of ${first?.dataType}, nodata ${first?.nodata ?? "none"}): give it a folder of its own`;
    }
    if (this.#options.taken.has(id)) return `the collection ${id} comes from an upstream: give the folder another name`;
    if (this.#served !== undefined) return `the collection ${id} is new: start the service again to serve it`;
    if (this.#made.size >= MAX_MADE_COLLECTIONS)
      return `more than ${MAX_MADE_COLLECTIONS} folders: describe them by a collection file`;
    const collection = madeCollection(id, id, header);
    this.#made.set(id, { collection, signature });
    return collection;
  }
}

/** Whether some document has an item: a Feature with assets. Others are of no folder's images, such as outlines of fields. */
async function hasItems(directory: string, documents: readonly FolderFile[]): Promise<boolean> {
  for (const { path } of documents) {
    try {
      // what is wrong with a document is said when its items are taken
      for await (const item of itemsOf(directory, path, new Refusals())) if (isJson(item.assets)) return true;
    } catch (error) {
      if (!(error instanceof Error && "code" in error)) throw error;
    }
  }
  return false;
}

async function* eachOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
