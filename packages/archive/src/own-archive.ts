import { realpath, stat } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { createStoredCatalog, type StoredCatalog } from "@swath/catalog/stored";
import type { FolderFiles } from "@swath/engine/node/files";
import { MAX_TILE_SCENES } from "@swath/engine/node/jobs";
import { createRegistry } from "@swath/schema";
import { BUILT_IN_PRESETS, type CollectionFile, type PresetFile } from "@swath/schema/files";
import { withoutBand } from "./folder/bands-in-paths.ts";
import { findTimeIn, type NamedTime } from "./folder/dates-in-paths.ts";
import { describedTimes, inArchive, ownCollections, surveyFolder, topOf } from "./folder/survey.ts";
import type { FolderFile } from "./folder/walk.ts";
import type { HeaderFacts } from "./headers/header-facts.ts";
import { IndexFile } from "./headers/index-file.ts";
import { readHeaders, stampOf } from "./headers/read-headers.ts";
import { type FileValues, readValues, spread } from "./headers/read-values.ts";
import { placeOf, saidDate } from "./items/file-items.ts";
import { fingerprintOf, Indexing, type Placed } from "./items/index-folder.ts";
import { MAX_MADE_COLLECTIONS, MAX_STRETCH_FILES } from "./limits.ts";
import {
  dataBands,
  type MadeFiles,
  madeCollection,
  madeCollectionId,
  madePlace,
  shapeInWords,
  signatureOf,
  stretchedBands,
} from "./made-collections.ts";
import { Refusals } from "./refusals.ts";

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
  /** Files that are served although something is missing, with what is taken in its place. */
  readonly remarks: readonly string[];
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
  /** Presets that recipes may name; default: the built-in ones. */
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
  refreshIfChanged(): Promise<boolean>;
  close(): void;
}

/**
 * Opens a folder: looks at what has changed since the last time, and serves the rest from its index.
 *
 * @throws {CollectionFileError} for a collection file in the folder that cannot be used, {SchemaError} for collections that
 *   do not fit each other, and what the system says of a folder that cannot be read.
 */
export async function openOwnArchive(given: OwnArchiveOptions): Promise<OwnArchive> {
  const options = { builtIn: [], own: [], taken: new Set<string>(), presets: BUILT_IN_PRESETS, ...given };
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
        if (report.written + report.removed > 0) await catalog.refresh();
        return { ...report, items: catalog.size };
      },
      async refreshIfChanged() {
        const version = index.dataVersion;
        if (version === dataVersion) return false;
        dataVersion = version;
        index.forget();
        await catalog.refresh();
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
  readonly #made = new Map<string, Made>();
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

  /**
   * The files of the collections that are served from now on. Of those that are made that of the newest file is first: presets draw the
   * first one where none is named.
   */
  serve(present: ReadonlySet<string>): readonly CollectionFile[] {
    const made = [...this.#made.values()].sort((a, b) => b.newest - a.newest).map(({ collection }) => collection);
    const files = this.#candidates(made).filter((file) => this.#described.includes(file) || present.has(file.id));
    this.#served = new Set(files.map(({ id }) => id));
    return files;
  }

  async scan(signal: AbortSignal | undefined): Promise<Omit<ScanReport, "items">> {
    const started = performance.now();
    const refusals = new Refusals();
    this.#index.beginScan();
    const survey = await surveyFolder(this.#folder, this.#collectionFiles, refusals, { signal });
    const remarks = new Refusals();
    // items of documents are of no collection that is made of files
    const fromDocuments = this.#indexing(this.#candidates([]), refusals, signal);
    const images: number[] = [];
    for (const document of survey.documents) images.push(await fromDocuments.document(document));
    fromDocuments.finish();
    // files beside items are of the collections of these
    const isMade = !this.#hasRules && images.every((count) => count === 0);
    const times = await describedTimes(this.#folder.directory, survey);
    const findings = { refusals, remarks, times, signal };
    const found = isMade ? await this.#madePlaces(survey.tiffs, findings) : await this.#placed(survey.tiffs, findings);
    const fromFiles = this.#indexing(this.#candidates(), refusals, signal);
    fromFiles.files(found.placed);
    fromFiles.finish();
    const removed = this.#index.endScan();
    return {
      written: fromDocuments.written + fromFiles.written,
      removed,
      opened: found.opened,
      refused: refusals.lines(),
      remarks: remarks.lines(),
      milliseconds: Math.round(performance.now() - started),
    };
  }

  #indexing(candidates: readonly CollectionFile[], refusals: Refusals, signal: AbortSignal | undefined): Indexing {
    return new Indexing({
      folder: this.#folder,
      index: this.#index,
      registry: createRegistry(candidates, this.#options.presets),
      fingerprint: fingerprintOf(candidates, this.#folder),
      served: this.#served,
      refusals,
      signal,
    });
  }

  get #hasRules(): boolean {
    return this.#described.some(({ upstream }) => upstream.files !== undefined);
  }

  #candidates(made = [...this.#made.values()].map(({ collection }) => collection)): readonly CollectionFile[] {
    const own = [...this.#described, ...made];
    const ids = new Set(own.map(({ id }) => id));
    return [...this.#options.builtIn.filter(({ id }) => !ids.has(id)).map(inArchive), ...own];
  }

  /** Files that a rule of a collection fits. */
  async #placed(tiffs: readonly FolderFile[], { refusals, remarks, times, signal }: Findings) {
    const places = new Map(tiffs.map((file) => [file.path, placeOf(file.path, this.#described)]));
    for (const [path, place] of places) {
      if (place !== undefined || this.#index.hasItemFile(path)) continue;
      refusals.add(path, this.#hasRules ? "no collection file has a path for it" : "no item of the folder names it");
    }
    const placed: Placed[] = [];
    const files = tiffs.filter(({ path }) => places.get(path) !== undefined);
    const opened = await readHeaders(
      eachOf(files),
      { folder: this.#folder, index: this.#index, signal },
      (file, known) => {
        const place = places.get(file.path);
        if ("fault" in known) refusals.add(file.path, known.fault);
        else if (place !== undefined) {
          const { time, isDated } = timeOf(file, known.header, place.time, times);
          if (!isDated) remarks.add(file.path, NO_DATE);
          placed.push({ file, place: time === undefined ? place : { ...place, time } });
        }
      },
    );
    return { placed, opened };
  }

  /** Files that nothing describes: a collection for each folder at the top. */
  async #madePlaces(tiffs: readonly FolderFile[], { refusals, remarks, times, signal }: Findings) {
    const files = [...tiffs].sort((a, b) => (a.path < b.path ? -1 : 1));
    const facts = new Map<string, FileFacts>();
    const reading = { folder: this.#folder, index: this.#index, signal };
    const opened = await readHeaders(eachOf(files), reading, (file, known) => {
      if ("fault" in known) {
        refusals.add(file.path, known.fault);
        return;
      }
      const { header } = known;
      const dated = timeOf(file, header, findTimeIn(file.path, header.epsg), times);
      const [columns, rows] = header.coarsest;
      const coarse = { pixels: columns * rows, gsd: (header.gsd * header.width) / columns };
      const last = endOf(file, header, dated.time);
      const scene = sceneOf(file, header);
      facts.set(file.path, { file, signature: signatureOf(header), gsd: header.gsd, coarse, last, scene, ...dated });
    });
    const root = basename(this.#folder.directory);
    const groups = new Map<string, FileFacts[]>();
    for (const { path } of files) {
      const found = facts.get(path);
      if (found === undefined) continue;
      const id = madeCollectionId(path, root);
      const group = groups.get(id);
      if (group === undefined) groups.set(id, [found]);
      else group.push(found);
    }
    const ids = new Set<string>();
    const placed: Placed[] = [];
    const undated: string[] = [];
    for (const [id, group] of groups) {
      const made = await this.#make(id, group, signal);
      const served: FileFacts[] = [];
      for (const each of group) {
        const { file, signature, time, isDated } = each;
        if (typeof made === "string") refusals.add(file.path, made);
        else if (made.signature !== signature) refusals.add(file.path, this.#unlike(made.collection, file));
        else {
          if (!isDated) undated.push(file.path);
          served.push(each);
          placed.push({ file, place: madePlace(made.collection, file.path, time, ids) });
        }
      }
      const [lower, upper] = bandsOfOneScene(served) ?? [];
      if (lower !== undefined && upper !== undefined) remarks.add(upper, laidOver(lower));
    }
    for (const path of undated) remarks.add(path, NO_DATE);
    return { placed, opened };
  }

  #headerOf(file: FolderFile): HeaderFacts | undefined {
    const known = this.#index.header(file.path, stampOf(file));
    return known === undefined || "fault" in known ? undefined : known.header;
  }

  /** Says why a file is not of a collection. */
  #unlike({ id, bands }: CollectionFile, file: FolderFile): string {
    const header = this.#headerOf(file);
    const shape = header === undefined ? "other bands" : shapeInWords(header);
    const [first] = bands;
    return `it has ${shape}, unlike the collection ${id} (${bands.length} of ${first?.dataType}, nodata ${first?.nodata ?? "none"}): give it a folder of its own`;
  }

  /**
   * The collection of some files, or why they have none. Its bands are those of the first file.
   *
   * @param files in the order of their paths; not empty.
   */
  async #make(id: string, files: readonly FileFacts[], signal: AbortSignal | undefined): Promise<Made | string> {
    const known = this.#made.get(id);
    if (known !== undefined) return known;
    if (this.#options.taken.has(id)) return `the collection ${id} comes from an upstream: give the folder another name`;
    if (this.#served !== undefined) return `the collection ${id} is new: start the service again to serve it`;
    if (this.#made.size >= MAX_MADE_COLLECTIONS)
      return `more than ${MAX_MADE_COLLECTIONS} folders: describe them by a collection file`;
    const [first] = files as readonly [FileFacts, ...FileFacts[]];
    const header = this.#headerOf(first.file);
    if (header === undefined) return "it cannot be read";
    const alike = files.filter(({ signature }) => signature === first.signature);
    const collection = madeCollection(id, id, header, madeFiles(alike), await this.#valuesOf(alike, header, signal));
    const newest = alike.reduce((latest, { last }) => Math.max(latest, last), Number.NEGATIVE_INFINITY);
    const made = { collection, signature: first.signature, newest };
    this.#made.set(id, made);
    return made;
  }

  /** Values of a few of some files that are like one: from the lowest low to the highest high, and pixels of all of them. */
  async #valuesOf(
    files: readonly FileFacts[],
    like: HeaderFacts,
    signal: AbortSignal | undefined,
  ): Promise<FileValues> {
    const bands = dataBands(like);
    const wanted = { bands, shown: stretchedBands(like).map((band) => bands.indexOf(band)) };
    const step = Math.max(1, files.length / MAX_STRETCH_FILES);
    const chosen = Array.from({ length: Math.min(files.length, MAX_STRETCH_FILES) }, (_, i) => Math.floor(i * step));
    const found: FileValues[] = [];
    for (const at of chosen) {
      const file = files[at]?.file;
      const header = file === undefined ? undefined : this.#headerOf(file);
      if (file === undefined || header === undefined) continue;
      const { values = await readValues(this.#folder, file.path, wanted, signal) } = header;
      if (header.values === undefined)
        this.#index.keepHeader(file.path, stampOf(file), { header: { ...header, values } });
      if (values !== null) found.push(values);
    }
    const pixels = spread(found.flatMap((each) => each.pixels));
    const ranges = found.flatMap(({ stretch }) => (stretch === undefined ? [] : [stretch]));
    if (ranges.length === 0) return { pixels };
    const [low, high] = [Math.min(...ranges.map(([each]) => each)), Math.max(...ranges.map(([, each]) => each))];
    // a constant is shown in the middle
    return { pixels, stretch: low < high ? [low, high] : [low - 0.5, low + 0.5] };
  }
}

/** Where a scan notes what it finds. */
interface Findings {
  readonly refusals: Refusals;
  readonly remarks: Refusals;
  /** Times that documents of folders name. */
  readonly times: ReadonlyMap<string, NamedTime>;
  readonly signal: AbortSignal | undefined;
}

/** Facts about a file that nothing describes. */
interface FileFacts extends Dated {
  readonly file: FolderFile;
  readonly signature: string;
  readonly gsd: number;
  /** Its coarsest level. */
  readonly coarse: { readonly pixels: number; readonly gsd: number };
  /** When it ends, milliseconds since 1970. */
  readonly last: number;
  /** Its extent and its path without the band that this names; undefined where it names none. */
  readonly scene: string | undefined;
}

/** The time of a file; absent: the one that its header says, or at which it was written. */
interface Dated {
  readonly time: NamedTime | undefined;
  /** False where nothing but the time at which it was written is known. */
  readonly isDated: boolean;
}

/** A collection that is made, and the signature of its files. */
interface Made {
  readonly collection: CollectionFile;
  readonly signature: string;
  /** When its newest file ends, milliseconds since 1970. */
  readonly newest: number;
}

function timeOf(
  { path }: FolderFile,
  header: HeaderFacts,
  named: NamedTime | undefined,
  times: Findings["times"],
): Dated {
  if (named !== undefined || saidDate(header) !== undefined) return { time: named, isDated: true };
  const time = times.get(topOf(path)) ?? times.get("");
  return { time, isDated: time !== undefined };
}

/** The end of a file's time, milliseconds since 1970. */
function endOf({ mtimeMs }: FolderFile, header: HeaderFacts, time: NamedTime | undefined): number {
  const named = time === undefined ? saidDate(header) : "datetime" in time ? time.datetime : time.interval[1];
  return named === undefined ? mtimeMs : Date.parse(named);
}

/** The same for files that are bands of one scene; see `FileFacts`. */
function sceneOf({ path }: FolderFile, { transform, width, height, epsg }: HeaderFacts): string | undefined {
  const rest = withoutBand(path);
  if (rest === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = transform;
  return JSON.stringify([epsg, c, f, c + a * width + b * height, f + d * width + e * height, rest]);
}

/** Paths of the first two files of a collection that are bands of one scene; undefined where no two are. */
function bandsOfOneScene(files: readonly FileFacts[]): readonly [string, string] | undefined {
  const known = new Map<string, string>();
  for (const { scene, file } of files) {
    if (scene === undefined) continue;
    const other = known.get(scene);
    if (other !== undefined) return [other, file.path];
    known.set(scene, file.path);
  }
  return undefined;
}

function laidOver(other: string): string {
  return `its name differs from ${JSON.stringify(other).slice(0, 300)} by the band, and it has the same extent: images show one over the other; where they are bands of a scene, a collection file says so (docs/guides/own-archive.md, "Files without items")`;
}

const NO_DATE = "neither its name nor the file has a date: it stands at the time at which it was written";

function madeFiles(files: readonly FileFacts[]): MadeFiles {
  const starts = files.flatMap(({ time }) =>
    time === undefined ? [] : ["datetime" in time ? time.datetime : time.interval[0]],
  );
  const start = starts.reduce<string | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
  const largest = files.map(({ coarse }) => coarse.pixels).sort((a, b) => b - a);
  return {
    gsd: files.reduce((least, { gsd }) => Math.min(least, gsd), Number.POSITIVE_INFINITY),
    coarseGsd: files.reduce((least, { coarse }) => Math.min(least, coarse.gsd), Number.POSITIVE_INFINITY),
    coarsePixels: largest.slice(0, MAX_TILE_SCENES).reduce((sum, pixels) => sum + pixels, 0),
    ...(start === undefined || start >= "1970" ? {} : { start }),
  };
}

async function* eachOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}
