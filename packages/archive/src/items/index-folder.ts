import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Item } from "@swath/catalog";
import { factsOf, searchedProperties } from "@swath/catalog/stored";
import { CogError } from "@swath/cog";
import { type FolderFiles, folderHref } from "@swath/engine/node/files";
import type { CollectionRegistry } from "@swath/schema";
import type { CollectionFile } from "@swath/schema/files";
import { fileOf } from "../folder/paths.ts";
import { DocumentError, isJson, type Json } from "../folder/read-json.ts";
import type { FolderFile } from "../folder/walk.ts";
import type { IndexFile, KeptItem } from "../headers/index-file.ts";
import { stampOf } from "../headers/read-headers.ts";
import { MAX_ITEM_BYTES, NAMED_REFUSALS } from "../limits.ts";
import type { Refusals } from "../refusals.ts";
import { convertItem } from "./convert-item.ts";
import { type FilePlace, itemOfFiles, type PlacedFile } from "./file-items.ts";
import { itemsOf } from "./item-documents.ts";

/** Items that are written at once. */
const BATCH = 200;

export interface IndexingOptions {
  readonly folder: FolderFiles;
  readonly index: IndexFile;
  /** Collections that items may be of. */
  readonly registry: CollectionRegistry;
  /** Ids of the collections that are served; `undefined` before the service has any. */
  readonly served: ReadonlySet<string> | undefined;
  /** Changes when items have to be made again. */
  readonly fingerprint: string;
  readonly refusals: Refusals;
  readonly signal?: AbortSignal | undefined;
}

/** A file and where it belongs; its header is in the index. */
export interface Placed {
  readonly file: FolderFile;
  readonly place: FilePlace;
}

/** Makes items of documents and files, and keeps them in the index. Items that have not changed are left as they are. */
export class Indexing {
  readonly #options: IndexingOptions;
  readonly #names: readonly string[];
  #batch: KeptItem[] = [];
  /** Items that are new or changed. */
  written = 0;

  constructor(options: IndexingOptions) {
    this.#options = options;
    this.#names = searchedProperties(options.registry);
  }

  /** @returns how many items of the document have assets. Others are of no folder's images, such as outlines of fields. */
  async document(file: FolderFile): Promise<number> {
    const { folder, index, fingerprint, refusals, signal } = this.#options;
    const stamp = `${stampOf(file)} ${fingerprint}`;
    const seen = index.document(file.path, stamp);
    // items that other documents have too may have to be taken from this one now
    if (seen !== undefined && (seen.good === 0 || index.keepSource(file.path, stamp) > 0)) {
      for (let i = 0; i < seen.faultCount; i++) refusals.add(file.path, seen.faults[i] ?? "more faults");
      return seen.images;
    }
    const faults = new Faults(refusals);
    let [good, images] = [0, 0];
    try {
      for await (const document of itemsOf(folder.directory, file.path, faults)) {
        signal?.throwIfAborted();
        if (isJson(document.assets)) images++;
        if (this.#take(document, file.path, stamp, faults)) good++;
      }
    } catch (error) {
      if (!(error instanceof DocumentError || error instanceof CogError || isSystemError(error))) throw error;
      faults.add(file.path, error.message);
    }
    index.keepDocument(file.path, stamp, { images, good, faults: faults.first, faultCount: faults.count });
    return images;
  }

  /** Files of one item become its assets; of two files for one asset the first by its path is taken. */
  files(placed: readonly Placed[]): void {
    const { index, refusals, fingerprint, folder, signal } = this.#options;
    const groups = new Map<string, Placed[]>();
    for (const each of [...placed].sort((a, b) => (a.file.path < b.file.path ? -1 : 1))) {
      const key = `${each.place.collection.id}/${each.place.id}`;
      groups.set(key, [...(groups.get(key) ?? []), each]);
    }
    for (const [key, group] of groups) {
      signal?.throwIfAborted();
      const source = `files of ${key}`;
      const assets = new Map<string, Placed>();
      for (const each of group) {
        const other = assets.get(each.place.asset);
        if (other === undefined) assets.set(each.place.asset, each);
        else refusals.add(each.file.path, `${each.place.asset} of ${key}, which is ${other.file.path} already`);
      }
      const stamp = `${hashOf([...assets.values()].map(({ file, place }) => `${file.path} ${stampOf(file)} ${JSON.stringify(place.time)}`))} ${fingerprint}`;
      if (index.keepSource(source, stamp) > 0) continue;
      const files = [...assets.values()].flatMap(({ file, place }): PlacedFile[] => {
        const known = index.header(file.path, stampOf(file));
        if (known === undefined || "fault" in known) return [];
        return [{ path: file.path, mtimeMs: file.mtimeMs, stamp: stampOf(file), place, header: known.header }];
      });
      if (files.length === 0) continue;
      const item = itemOfFiles(files, (path) => folderHref(folder, path));
      this.#keep(item, { source, stamp, files: files.map(({ path }) => path), faults: refusals });
    }
  }

  /** Writes what is left. */
  finish(): void {
    this.#flush();
  }

  /** @returns false where the item is at fault, whatever else there is. */
  #take(document: Json, path: string, stamp: string, faults: Faults): boolean {
    const { folder, refusals } = this.#options;
    const files: string[] = [];
    return this.#keep(document, { source: path, stamp, files, faults }, (target) => {
      if (target.kind === "remote") return target.href;
      if (target.kind === "inside") {
        const file = fileOf(folder.directory, target);
        // it may come later: the item is kept as it is
        const isThere = target.asWritten === undefined || existsSync(join(folder.directory, file));
        if (!isThere) refusals.add(path, `the file ${file} of an item is not there`);
        files.push(file);
        return folderHref(folder, file);
      }
      faults.add(path, target.reason);
      return undefined;
    });
  }

  #keep(
    document: Json,
    { faults, ...from }: Pick<KeptItem, "source" | "stamp" | "files"> & { readonly faults: Pick<Refusals, "add"> },
    resolve?: Parameters<typeof convertItem>[1]["resolve"],
  ): boolean {
    const { source } = from;
    const { folder, registry, refusals, served } = this.#options;
    const converted = convertItem(document, { directory: folder.directory, path: source, registry, resolve });
    if ("fault" in converted) {
      faults.add(source, converted.fault);
      return false;
    }
    const { item } = converted;
    if (served?.has(item.collection) === false) {
      refusals.add(source, `the collection ${item.collection} is new: start the service again to serve it`);
      return true;
    }
    if (JSON.stringify(item).length > MAX_ITEM_BYTES) {
      faults.add(source, `an item of more than ${MAX_ITEM_BYTES} bytes`);
      return false;
    }
    this.#batch.push({ item, facts: factsOf(item, this.#names), ...from });
    if (this.#batch.length >= BATCH) this.#flush();
    return true;
  }

  #flush(): void {
    const { index, refusals } = this.#options;
    const batch = this.#batch;
    this.#batch = [];
    if (batch.length === 0) return;
    index.transaction(() => {
      for (const kept of batch) {
        if (index.keepItem(kept)) this.written++;
        else refusals.add(kept.source, `${nameOf(kept.item)} is there already`);
      }
    });
  }
}

/** The faults of a document, which are noted with it. */
class Faults {
  readonly #refusals: Refusals;
  readonly first: string[] = [];
  count = 0;

  constructor(refusals: Refusals) {
    this.#refusals = refusals;
  }

  add(path: string, reason: string): void {
    this.count++;
    if (this.first.length < NAMED_REFUSALS) this.first.push(reason);
    this.#refusals.add(path, reason);
  }
}

function nameOf({ collection, id }: Item): string {
  return `an item ${JSON.stringify(`${collection}/${id}`).slice(0, 300)}`;
}

function hashOf(parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 22);
}

function isSystemError(error: unknown): error is Error {
  return error instanceof Error && "code" in error && "errno" in error;
}

/** Changes when items have to be made again: by other collections or by another place of the folder. */
export function fingerprintOf(files: readonly CollectionFile[], { directory, secret }: FolderFiles): string {
  // how items are drawn changes none of them
  const facts = files.map(({ recipes: _, zoom: _zoom, ...each }) => ({
    ...each,
    bands: each.bands.map(({ usual: _usual, ...band }) => band),
  }));
  return hashOf([directory, secret, JSON.stringify(facts)]);
}
